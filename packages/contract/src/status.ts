import Type, { type Static } from 'typebox';
import { BackupState } from './backup.js';
import { ReindexState } from './reindex.js';
import { OrNull } from './schema.js';

/** Equal errors of the server. Names and codes only: nothing that a user wrote. */
const LoggedError = Type.Object({
  /** The id of an operation, or the name of background work. */
  operation: Type.String(),
  code: Type.String(),
  /** The names and codes of the error and its causes, the outermost first. */
  cause: Type.String(),
  count: Type.Integer(),
  firstAt: Type.String(),
  lastAt: Type.String(),
  /** The id of the last request that failed. Null for background work. */
  requestId: OrNull(Type.String()),
  /** Function, package, file and line of the last one, the innermost first. */
  frames: Type.Array(Type.String()),
});

/** The state of a deployment, for its owner. Sizes are in bytes. */
export const Status = Type.Object({
  version: Type.String(),
  store: Type.Object({
    /** The file or address of the store. Null if it is in memory. */
    location: OrNull(Type.String()),
    bytes: Type.Integer(),
    /** Free space on its disk. Null if it has none. */
    freeBytes: OrNull(Type.Integer()),
    /**
     * Whether no space is kept for deletions, and its disk has no room for it: once it is full, nothing can be deleted.
     */
    lacksReserve: Type.Boolean(),
    /** Why the store accepts no changes. Null while it does. */
    problem: OrNull(Type.Object({ code: Type.String(), message: Type.String() })),
  }),
  /** Memories that did not match their checksum when they were read; at most 20. */
  damaged: Type.Array(Type.Object({ id: Type.String(), foundAt: Type.String() })),
  /**
   * The check of all memories against their checksums, which the server makes every week. Null before the first;
   * finishedAt is null while it runs.
   */
  check: OrNull(Type.Object({ startedAt: Type.String(), finishedAt: OrNull(Type.String()) })),
  memories: Type.Integer(),
  chunks: Type.Integer(),
  highlights: Type.Integer(),
  trash: Type.Integer(),
  /** Pictures and favicons, each counted once. */
  pictures: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
  /** The id of the embedding model. Null if none is configured. */
  model: OrNull(Type.String()),
  embeddings: ReindexState,
  /** Null if the store is in memory. */
  backups: OrNull(BackupState),
  plugins: Type.Object({
    active: Type.Integer(),
    failures: Type.Array(Type.Object({ slug: Type.String(), reason: Type.String() })),
  }),
  /** The last errors of the server, the newest first. */
  errors: Type.Array(LoggedError),
});

export type Status = Static<typeof Status>;
