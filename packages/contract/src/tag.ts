import Type, { type Static } from 'typebox';
import { limits } from './limits.js';

const Tag = Type.String({ minLength: 1, maxLength: limits.capture.tagLength });

export const TagList = Type.Object({ tags: Type.Array(Type.Object({ tag: Type.String(), memories: Type.Integer() })) });

export const TagRenameBody = Type.Object(
  { tags: Type.Array(Tag, { minItems: 1, maxItems: 1_000 }), to: Tag },
  { additionalProperties: false },
);

export const TagRemoveBody = Type.Object(
  { tags: Type.Array(Tag, { minItems: 1, maxItems: 1_000 }) },
  { additionalProperties: false },
);

export type TagList = Static<typeof TagList>;
