import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { summaryFields } from './memory.js';
import { OrNull } from './schema.js';

const { page, changeIds } = limits.memories;

export const TrashParameters = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: page.minimum, maximum: page.maximum })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
});

const trashedFields = {
  ...summaryFields,
  excerpt: Type.String(),
  deletedAt: Type.String(),
  /** Days until it is permanently deleted. Only days on which the store is in use count. */
  daysLeft: Type.Integer(),
};

/** One memory in the trash, with its text. */
export const TrashedMemory = Type.Object({ ...trashedFields, text: Type.String() });

export const TrashAnswer = Type.Object({
  memories: Type.Array(Type.Object(trashedFields)),
  total: Type.Integer(),
  nextCursor: OrNull(Type.String()),
});

export const EmptyTrashBody = Type.Union([
  Type.Object(
    {
      ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: changeIds })),
      deletedBefore: Type.Optional(
        Type.String({
          format: 'instant',
          description:
            'Keeps memories that were moved to the trash at this instant or later, such as after the user was asked.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Null(),
]);

export const EmptyTrashAnswer = Type.Object({ deleted: Type.Integer() });

export type TrashedMemory = Static<typeof TrashedMemory>;
export type TrashAnswer = Static<typeof TrashAnswer>;
export type EmptyTrashAnswer = Static<typeof EmptyTrashAnswer>;
