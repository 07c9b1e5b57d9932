import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { Maybe } from './schema.js';

const Tag = Type.String({ minLength: 1, maxLength: limits.capture.tagLength });

export const TagList = Type.Object({
  tags: Type.Array(
    Type.Object({
      tag: Type.String(),
      memories: Type.Integer(),
      nested: Type.Integer({ description: 'Memories with this tag or one below it, each counted once.' }),
      /** The time of the memory with it that was saved last. */
      newestAt: Type.String(),
    }),
  ),
  parents: Type.Array(Type.Object({ tag: Type.String(), nested: Type.Integer() }), {
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

export type TagList = Static<typeof TagList>;
