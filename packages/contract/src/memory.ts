import Type, { type Static } from 'typebox';
import { Comments, Image, Note, pictureFields, Tags, Title } from './capture.js';
import { Highlight } from './highlight.js';
import { limits } from './limits.js';

import { listFilterFields } from './query.js';
import { type Loose, Maybe, OrNull } from './schema.js';
import {
  captureModes,
  changeKinds,
  clients,
  extractions,
  places,
  readStates,
  recordedFields,
  sorts,
  sourceTypes,
} from './vocabulary.js';

const { page, lookupUrls, related } = limits.memories;

/** The actor that saved or changed a memory. */
export const Actor = Type.Object({
  client: Type.Enum([...clients]),
  /** The assistant or the plugin, as it names itself. */
  name: OrNull(Type.String()),
  /** The name of the API key that was used, or its first characters. */
  key: OrNull(Type.String()),
});

export const summaryFields = {
  id: Type.String(),
  title: Type.String(),
  url: OrNull(Type.String()),
  sourceType: Type.Enum([...sourceTypes]),
  sourceApp: Type.String(),
  captureMode: Type.Enum([...captureModes]),
  tags: Type.Array(Type.String()),
  note: OrNull(Type.String()),
  capturedAt: Type.String(),
  lastCapturedAt: Type.String(),
  updatedAt: Type.String(),
  starred: Type.Boolean(),
  readState: Type.Enum([...readStates]),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'How much of the text has been read.' }),
  openedAt: OrNull(Type.String({ description: 'When it was last opened to be read.' })),
  minutes: Type.Integer({ minimum: 0, description: 'About how long it takes to read; 0 for less than a minute.' }),
  place: Type.Enum([...places], { description: 'Where the user keeps it. inbox: not sorted yet.' }),
  generatedBy: OrNull(
    Type.String({ description: 'The plugin that wrote it, such as daily-digest. Null for what someone saved.' }),
  ),
  ...pictureFields,
};

export const MemorySummary = Type.Object({ ...summaryFields, excerpt: Type.String() });

export const MemoryDetail = Type.Object({
  ...summaryFields,
  text: Type.String(),
  /** The comments below its page, in the order of the page. */
  comments: Comments,
  textHash: Type.String({ description: 'Identifies the text: another text has another. For expected in PATCH.' }),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  isLink: Type.Boolean({ description: 'Whether it is a link: an address whose page has no saved text.' }),
  /** Metadata of a raw page, such as its author. */
  page: Type.Record(Type.String(), Type.String()),
  chunks: Type.Integer(),
  /** The turns of a conversation; `text` also has their texts. Null for other memories. */
  turns: OrNull(Type.Array(Type.Object({ role: Type.String(), text: Type.String() }))),
  /** Null if it was saved before this was recorded. */
  savedBy: OrNull(Actor),
  /** Other memories of the same address, newest first. */
  otherCaptures: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), capturedAt: Type.String() })),
  embedding: Type.Object({ state: Type.Enum(['embedded', 'pending', 'off']), model: OrNull(Type.String()) }),
  /** Whether the disk has changed part of the memory. */
  damaged: Type.Boolean(),
  /** A warning that the disk has changed part of the memory, with advice. Null unless damage was found. */
  warning: OrNull(Type.String()),
});

export const ChangedMemory = Type.Object({
  ...MemoryDetail.properties,
  /** For POST /api/v1/changes/{id}/undo. Null if nothing changed. */
  changeId: OrNull(Type.String()),
});

/** A change as a key without `memory:read` sees it. */
export const ChangedMemoryState = Type.Object({
  id: ChangedMemory.properties.id,
  embedding: ChangedMemory.properties.embedding,
  changeId: ChangedMemory.properties.changeId,
});

export const ListParameters = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: page.minimum, maximum: page.maximum })),
  cursor: Type.Optional(Type.String({ maxLength: limits.memories.cursorLength })),
  sort: Type.Optional(
    Type.Enum([...sorts], {
      description:
        'newest by default. opened: last opened first, then those never opened. longest: by number of passages.',
    }),
  ),
  ...listFilterFields,
});

export const ListAnswer = Type.Object({ memories: Type.Array(MemorySummary), nextCursor: OrNull(Type.String()) });

export const MemoryParameters = Type.Object({ id: Type.String() });

export const MemoryPatch = Type.Object(
  {
    title: Type.Optional(Title),
    tags: Type.Optional(Tags),
    addTags: Type.Optional(Tags),
    removeTags: Type.Optional(Tags),
    note: Maybe(Note),
    text: Type.Optional(Type.String()),
    /** A raw page whose text replaces the text of the memory, as a capture has it. */
    html: Type.Optional(Type.String()),
    /** A PDF in Base64 whose text replaces the text of the memory. */
    pdf: Type.Optional(Type.String()),
    extract: Type.Optional(Type.Enum([...extractions])),
    /** Its picture, or null for none. Not recorded in the history. */
    picture: Maybe(Image),
    /** The name of its file, after that was renamed. Not recorded in the history. */
    fileName: Type.Optional(Type.String({ minLength: 1, maxLength: limits.capture.fileNameLength })),
    starred: Type.Optional(Type.Boolean()),
    /** Without `progress`: read sets it to 1, unread to 0. */
    readState: Type.Optional(Type.Enum([...readStates])),
    /**
     * Without `readState`: 1 sets it to read; more than 0 turns unread into reading. The history does not record
     * progress without a new read state.
     */
    progress: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /** Moves it to the inbox, to later, or to the archive. */
    place: Type.Optional(Type.Enum([...places])),
    /** Records that someone opened it to read it. */
    opened: Type.Optional(Type.Literal(true)),
    /** The values that the caller saw last. If the memory has others by now, nothing is changed. */
    expected: Type.Optional(
      Type.Object(
        { title: Type.Optional(Title), note: Maybe(Note), textHash: Type.Optional(Type.String({ maxLength: 100 })) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const IdsParameters = Type.Object({
  prefix: Type.String({ pattern: '^[0-9a-f-]{4,36}$', description: 'At least the first four characters of an id.' }),
});

export const IdsAnswer = Type.Object({
  memories: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), isDeleted: Type.Boolean() })),
  changes: Type.Array(Type.String()),
});

/** Accepts URLs of any scheme: the browser's own pages are simply not found. */
export const LookupBody = Type.Object({
  urls: Type.Array(Type.String({ maxLength: limits.capture.urlLength }), { minItems: 1, maxItems: lookupUrls }),
  highlights: Type.Optional(Type.Boolean({ description: 'Whether to return the highlights of each address.' })),
  site: Type.Optional(
    Type.String({
      maxLength: 253,
      pattern: '\\S',
      description: 'A host name, whose newest memories are returned as well.',
    }),
  ),
});

export const LookupAnswer = Type.Object({
  found: Type.Array(
    Type.Object({
      url: Type.String(),
      id: Type.String(),
      title: Type.String(),
      capturedAt: Type.String(),
      lastCapturedAt: Type.String(),
      highlights: Type.Optional(
        Type.Array(Highlight, { description: 'In all memories of the address, newest first, if the request asks.' }),
      ),
    }),
  ),
  ofSite: Type.Optional(
    Type.Array(
      Type.Object({ id: Type.String(), title: Type.String(), url: OrNull(Type.String()), capturedAt: Type.String() }),
      { description: 'Memories of the site and its subdomains, newest first, if the request names one.' },
    ),
  ),
});

export const RelatedParameters = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: related.minimum, maximum: related.maximum })),
});

/** Most similar first; empty while the memory has no embeddings. */
export const RelatedAnswer = Type.Object({
  related: Type.Array(Type.Object({ ...summaryFields, excerpt: Type.String(), similarity: Type.Number() })),
});

/** The description of a change in a history. */
const changeFields = {
  /** From 1 for the first change after the memory was saved. */
  number: Type.Integer(),
  changeId: Type.String(),
  kind: Type.Enum([...changeKinds]),
  at: Type.String(),
  by: OrNull(Actor),
  /** The fields that the change replaced. */
  fields: Type.Array(Type.Enum([...recordedFields])),
  /** The replaced values that are kept. A text is long: the state before the change has it. */
  before: Type.Object({
    title: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
    note: Type.Optional(OrNull(Type.String())),
    starred: Type.Optional(Type.Boolean()),
    readState: Type.Optional(Type.Enum([...readStates])),
    progress: Type.Optional(Type.Number()),
    place: Type.Optional(Type.Enum([...places])),
  }),
};

export const HistoryAnswer = Type.Object({
  /** Newest first. */
  history: Type.Array(Type.Object(changeFields)),
  /** The number of the oldest state that can be read and restored. 0 is the memory as it was saved. */
  oldest: Type.Integer(),
});

export const StateParameters = Type.Object({ id: Type.String(), number: Type.String() });

export const MemoryState = Type.Object({
  /** The number of the change that left the memory so; 0 is the memory as it was saved. */
  number: Type.Integer(),
  /** When the memory was saved or changed so. */
  at: Type.String(),
  title: Type.String(),
  tags: Type.Array(Type.String()),
  note: OrNull(Type.String()),
  /** The text of a conversation, which is never edited, is the present one. */
  text: Type.String(),
});

export const VersionsAnswer = Type.Object({
  /** Newest first, this memory included. */
  versions: Type.Array(
    Type.Object({ id: Type.String(), title: Type.String(), capturedAt: Type.String(), characters: Type.Integer() }),
  ),
});

/** The beginning of a title. POST, so that no log of requests has it. */
export const TitleCompletionBody = Type.Object(
  {
    prefix: Type.String({ maxLength: limits.memories.titlePrefix }),
    limit: Maybe(Type.Integer({ minimum: 1, maximum: 50 })),
  },
  { additionalProperties: false },
);

/** By title. */
export const TitleCompletion = Type.Object({
  memories: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), capturedAt: Type.String() })),
});

export const LinkedFromParameters = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: page.minimum, maximum: page.maximum })),
});

/** Newest first. */
export const LinkedFromAnswer = Type.Object({
  memories: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), capturedAt: Type.String() })),
});

/** The links of a note to other notes, and the memories that link to it. */
export const LinksAnswer = Type.Object({
  /** In the order of the text. Targets that no memory has are missing. */
  links: Type.Array(
    Type.Object({
      /** As the text has it, such as `drinks/Tea`, or the address of a saved page. */
      target: Type.String(),
      id: Type.String(),
      title: Type.String(),
    }),
  ),
  /** Newest first. */
  backlinks: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), capturedAt: Type.String() })),
});

export type LinksAnswer = Static<typeof LinksAnswer>;
export type Actor = Static<typeof Actor>;
export type RelatedAnswer = Static<typeof RelatedAnswer>;
export type HistoryAnswer = Static<typeof HistoryAnswer>;
export type MemoryState = Static<typeof MemoryState>;
export type VersionsAnswer = Static<typeof VersionsAnswer>;
export type MemorySummary = Static<typeof MemorySummary>;
export type MemoryDetail = Static<typeof MemoryDetail>;
export type ChangedMemory = Static<typeof ChangedMemory>;
export type ListAnswer = Static<typeof ListAnswer>;
export type MemoryPatch = Loose<Static<typeof MemoryPatch>>;
export type IdsAnswer = Static<typeof IdsAnswer>;
export type LookupAnswer = Static<typeof LookupAnswer>;
