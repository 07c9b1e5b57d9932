import type { Static } from 'typebox';
import Type from 'typebox';
import { Tags } from './capture.js';
import { limits } from './limits.js';
import { summaryFields } from './memory.js';
import { filterFields, timeZoneField } from './query.js';
import { type Loose, OrNull } from './schema.js';
import { places, readStates, type Scope } from './vocabulary.js';

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

/**
 * Selects memories by ids, or by a query and filters. Unknown fields are rejected: a mistyped filter would select more.
 */
export const ChangeBody = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: limits.memories.changeIds })),
    query: Type.Optional(
      Type.String({
        maxLength: limits.query.length,
        description: 'Operators select all matching memories. A query with words selects its first `limit` results.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: limits.query.results.minimum, maximum: limits.query.results.maximum }),
    ),
    ...filterFields,
    ...timeZoneField,
    addTags: Type.Optional(Tags),
    removeTags: Type.Optional(Tags),
    /** Stars, or removes the star. */
    star: Type.Optional(Type.Boolean()),
    /** Marks as unread, partly read or read. */
    markAs: Type.Optional(Type.Enum([...readStates])),
    /** Moves to the inbox, to later, or to the archive. `place` selects. */
    moveTo: Type.Optional(Type.Enum([...places])),
    /** Moves to the trash. */
    delete: Type.Optional(Type.Boolean()),
    /** Takes out of the trash; only with ids. */
    restore: Type.Optional(Type.Boolean()),
    dryRun: Type.Optional(Type.Boolean({ description: 'Counts what would change, and changes nothing.' })),
  },
  { additionalProperties: false },
);

export const ChangeAnswer = Type.Object({
  /** Memories that the request selects. */
  matched: Type.Integer(),
  changed: Type.Integer(),
  /** For POST /api/v1/changes/{id}/undo. Null if nothing changed. */
  changeId: OrNull(Type.String()),
});

export const UndoParameters = Type.Object({
  memoryId: Type.Optional(Type.String({ maxLength: 100, description: 'Undoes the change for this memory only.' })),
});

export const UndoAnswer = Type.Object({
  changed: Type.Integer(),
  /** Memories that were changed again since, which are skipped. Permanently deleted ones are not counted. */
  skipped: Type.Integer(),
  /** Undoes the undo. Null if nothing changed. */
  changeId: OrNull(Type.String()),
});

/** The state of a change: of one that runs in the background, or of one that has ended. */
export const ChangeRun = Type.Object({
  /** For POST /api/v1/changes/{id}/undo, which undoes the changes made so far. */
  changeId: Type.String(),
  state: Type.Enum(['running', 'done', 'failed', 'stopped', 'ended'], {
    description:
      'failed: problem says why. stopped: the server stopped first. ended: a change of an earlier time, whose history is known, but not whether it was complete.',
  }),
  /** Memories that the request selects. Null for a change of an earlier time. */
  matched: OrNull(Type.Integer()),
  /** How many of them it has dealt with. */
  examined: Type.Integer(),
  changed: Type.Integer(),
  problem: OrNull(Type.Object({ code: Type.String(), detail: Type.String() })),
});

/** A change as a key without `memory:read` sees it: how many memories match is a question about their text. */
export const ChangeId = Type.Object({ changeId: ChangeAnswer.properties.changeId });
export const ChangeRunState = Type.Object({
  changeId: ChangeRun.properties.changeId,
  state: ChangeRun.properties.state,
});

/** The scope that a change of many memories needs: selecting by anything but ids, and counting, is reading. */
export function changeScope(body: unknown): Scope | null {
  const { ids, dryRun, query, limit, ...others } = Object(body) as Record<string, unknown>;
  const isSelected = query !== undefined || Object.keys(filterFields).some((name) => others[name] !== undefined);
  return isSelected || dryRun === true ? 'memory:read' : null;
}

export type ChangeRun = Static<typeof ChangeRun>;
export type ChangeBody = Loose<Static<typeof ChangeBody>>;
export type ChangeAnswer = Static<typeof ChangeAnswer>;
export type UndoAnswer = Static<typeof UndoAnswer>;
