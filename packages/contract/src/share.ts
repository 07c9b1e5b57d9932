import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { type Loose, Maybe, OrNull } from './schema.js';

const Id = Type.String();
const Named = Type.Object({ id: Id, name: Type.String() });

/** A tag or a saved search that someone shares. */
export const Share = Type.Object({
  id: Id,
  /** Null for a saved search. */
  tag: OrNull(Type.String()),
  /** Null for a tag. */
  savedSearch: OrNull(Type.Object({ id: Id, name: Type.String(), query: Type.String() })),
  /** Null for a public page. */
  person: OrNull(Named),
  mayAdd: Type.Boolean(),
  showsText: Type.Boolean(),
  /** The address of the public page. Null for a person, and while the deployment has no public pages. */
  link: OrNull(Type.String()),
  createdAt: Type.String(),
});

export const ShareBody = Type.Object(
  {
    tag: Maybe(Type.String({ minLength: 1, maxLength: limits.capture.tagLength })),
    savedSearchId: Maybe(Id),
    personId: Maybe(Id),
    isPublic: Maybe(Type.Boolean({ description: 'A public page, which everyone with its address can read.' })),
    mayAdd: Maybe(Type.Boolean({ description: 'Whether the person may add memories.' })),
    showsText: Maybe(Type.Boolean({ description: 'Whether the public page shows whole texts.' })),
  },
  { additionalProperties: false },
);

export const ShareParameters = Type.Object({ id: Id });

/** The newest share first, and the people with whom the caller can share. */
export const ShareList = Type.Object({
  shares: Type.Array(Share),
  people: Type.Array(Named),
  /** Whether the deployment has public pages. */
  hasPublicPages: Type.Boolean(),
});

/** A share as a person sees it who can read it. */
export const SharedCollection = Type.Object({
  id: Id,
  /** The tag, or the name of the saved search. */
  name: Type.String(),
  kind: Type.Enum(['tag', 'search']),
  owner: Named,
  /** Whether it is a tag of the caller, to which others may add. */
  isOwn: Type.Boolean(),
  mayAdd: Type.Boolean(),
});

export const SharedList = Type.Object({ shared: Type.Array(SharedCollection) });

const itemFields = {
  /** The person whose memory it is. */
  personId: Id,
  personName: Type.String(),
  id: Id,
  title: Type.String(),
  url: OrNull(Type.String()),
  capturedAt: Type.String(),
  excerpt: Type.String(),
};

/** A memory of a share. Notes, highlights, tags and reading are its owner's, and are not shown. */
export const SharedItem = Type.Object(itemFields);

export const SharedPage = Type.Object({
  collection: SharedCollection,
  memories: Type.Array(SharedItem),
  nextCursor: OrNull(Type.String()),
});

export const SharedPageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.memories.page.maximum })),
  cursor: Type.Optional(Type.String({ maxLength: limits.memories.cursorLength })),
});

export const SharedMemory = Type.Object({
  ...itemFields,
  text: Type.String(),
  /** The turns of a conversation; `text` also has their texts. Null for other memories. */
  turns: OrNull(Type.Array(Type.Object({ role: Type.String(), text: Type.String() }))),
});

export const SharedMemoryParameters = Type.Object({ id: Id, personId: Id, memoryId: Id });

export const AddToSharedBody = Type.Object({ memoryId: Id }, { additionalProperties: false });

export type Share = Static<typeof Share>;
export type ShareBody = Loose<Static<typeof ShareBody>>;
export type ShareList = Static<typeof ShareList>;
export type SharedCollection = Static<typeof SharedCollection>;
export type SharedItem = Static<typeof SharedItem>;
export type SharedPage = Static<typeof SharedPage>;
export type SharedMemory = Static<typeof SharedMemory>;
