import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { Instant, Maybe, OrNull } from './schema.js';

/** The selection to export: everything by default. */
export const ExportParameters = Type.Object({
  format: Maybe(Type.Enum(['jsonl'])),
  since: Maybe(Instant),
  query: Maybe(
    Type.String({
      maxLength: limits.query.length,
      description: 'Operators only, such as tag:work. The trash is then left out.',
    }),
  ),
});

const Reported = Type.Array(
  Type.Object({
    /** The memory's id, or the number of the line. */
    item: Type.String(),
    reason: Type.String(),
  }),
);

/** The result of an import. The two lists have at most {@link limits.transfer.reported} entries each. */
export const ImportReport = Type.Object({
  /** The programs of the exports: `Recollect`, or others. */
  programs: Type.Array(Type.String()),
  /** Memories and items in the file. */
  found: Type.Integer(),
  created: Type.Integer(),
  /** The created memories that are links, without the text of their page. */
  links: Type.Integer(),
  /** Memories that were completed: with new turns, tags, a star, a highlight, or the text of a page. */
  updated: Type.Integer(),
  /** Items that were here already, and complete. */
  duplicates: Type.Integer(),
  /** Saved searches that were added. */
  savedSearches: Type.Integer(),
  /** Items that were left out, or that differ here and were not changed. */
  skipped: Reported,
  skippedCount: Type.Integer(),
  /** Items that could not be read or stored. */
  failed: Reported,
  failedCount: Type.Integer(),
  /** Files of an archive or a folder that are not known exports. */
  otherFiles: Type.Integer(),
  /** The names of the first of them. */
  otherNames: Type.Array(Type.String()),
  /**
   * Items that were skipped although they have a text, what failed, and texts of an archive that are not known exports.
   */
  dropped: Type.Integer(),
  /** False if the end of an export of Recollect is missing. */
  isComplete: Type.Boolean(),
  /** For POST /api/v1/changes/{id}/undo, which undoes the whole import. Null if nothing was created or updated. */
  changeId: OrNull(Type.String()),
});

/** The latest imports, newest first. */
export const ImportList = Type.Object({
  imports: Type.Array(
    Type.Object({
      /** For POST /api/v1/changes/{id}/undo. */
      changeId: Type.String(),
      at: Type.String(),
      /** The name of the file. */
      name: Type.String(),
      programs: Type.Array(Type.String()),
      /** Memories that it created. Null while it runs, and if it was interrupted. */
      created: OrNull(Type.Integer()),
      /** Memories that it changed. Null like `created`. */
      updated: OrNull(Type.Integer()),
      isUndone: Type.Boolean(),
    }),
  ),
});

/** The preview of an import. The two lists have at most {@link limits.transfer.reported} entries each. */
export const ImportPreview = Type.Object({
  /** The programs of the exports. None if nothing in the file is a known export. */
  programs: Type.Array(Type.String()),
  found: Type.Integer(),
  /** How many of them are conversations. */
  conversations: Type.Integer(),
  /** How many of them are links, without the text of their page. */
  links: Type.Integer(),
  /** The first {@link limits.transfer.previewed} of them, in the order of the file. */
  first: Type.Array(
    Type.Object({ title: Type.String(), url: OrNull(Type.String()), capturedAt: OrNull(Type.String()) }),
  ),
  skipped: Reported,
  skippedCount: Type.Integer(),
  failed: Reported,
  failedCount: Type.Integer(),
  otherFiles: Type.Integer(),
  otherNames: Type.Array(Type.String()),
});

/** The file to import, and the selection from it. */
export const ImportParameters = Type.Object({
  name: Maybe(
    Type.String({
      minLength: 1,
      maxLength: limits.transfer.nameLength,
      description: 'The name of the file. Some exports are recognised by it, such as notes.md.',
    }),
  ),
  tag: Maybe(
    Type.String({
      maxLength: limits.query.length,
      description: 'Tags for everything that is imported, separated by commas.',
    }),
  ),
  since: Maybe(Instant),
  format: Maybe(
    Type.String({ maxLength: limits.transfer.nameLength, description: 'The program whose exports alone are read.' }),
  ),
});

export type ExportParameters = Static<typeof ExportParameters>;
export type ImportParameters = Static<typeof ImportParameters>;
export type ImportList = Static<typeof ImportList>;
export type ImportPreview = Static<typeof ImportPreview>;
export type ImportReport = Static<typeof ImportReport>;
