import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { type Loose, Maybe, OrNull } from './schema.js';
import { tagColours } from './vocabulary.js';

const Tag = Type.String({ minLength: 1, maxLength: limits.capture.tagLength });
const Icon = Type.String({ minLength: 1, maxLength: limits.tagLooks.iconLength, description: 'An emoji or a name.' });
const Colour = Type.Enum([...tagColours]);

/** How a tag is shown, as the user chose it. */
const lookFields = { icon: Type.Optional(Icon), colour: Type.Optional(Colour) };
export const TagLook = Type.Object({ tag: Tag, ...lookFields });

/** A look as a key without `memory:read` sees it: the stored icon and colour are not in it. */
export const TagLookState = Type.Object({});

/** Null removes the icon or the colour; without a field, it stays. */
export const TagLookBody = Type.Object(
  { tag: Tag, icon: Type.Optional(OrNull(Icon)), colour: Type.Optional(OrNull(Colour)) },
  { additionalProperties: false },
);

export const TagList = Type.Object({
  tags: Type.Array(
    Type.Object({
      tag: Type.String(),
      memories: Type.Integer(),
      nested: Type.Integer({ description: 'Memories with this tag or one below it, each counted once.' }),
      /** The time of the memory with it that was saved last. */
      newestAt: Type.String(),
      ...lookFields,
    }),
  ),
  parents: Type.Array(Type.Object({ tag: Type.String(), nested: Type.Integer(), ...lookFields }), {
    description: 'Tags that no memory has, with tags below them: dev, if memories have only dev/databases.',
  }),
});

/** Request for the completions of a tag. POST, so that the extension may send it (SEC-17). */
export const TagCompletionBody = Type.Object(
  {
    prefix: Type.String({ maxLength: limits.capture.tagLength }),
    limit: Maybe(Type.Integer({ minimum: 1, maximum: 50 })),
  },
  { additionalProperties: false },
);
export const TagCompletion = Type.Object({ tags: Type.Array(Type.String()) });

export const TagRenameBody = Type.Object(
  { tags: Type.Array(Tag, { minItems: 1, maxItems: 1_000 }), to: Tag },
  { additionalProperties: false },
);

export const TagRemoveBody = Type.Object(
  { tags: Type.Array(Tag, { minItems: 1, maxItems: 1_000 }) },
  { additionalProperties: false },
);

export type TagLook = Static<typeof TagLook>;
export type TagLookBody = Loose<Static<typeof TagLookBody>>;
export type TagList = Static<typeof TagList>;
