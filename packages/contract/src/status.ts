import Type, { type Static } from 'typebox';
import { ReindexState } from './reindex.js';
import { OrNull } from './schema.js';

/** The state of a deployment, for its owner. Sizes are in bytes. */
export const Status = Type.Object({
  version: Type.String(),
  store: Type.Object({
    /** The file or address of the store. Null if it is in memory. */
    location: OrNull(Type.String()),
    bytes: Type.Integer(),
    /** Free space on its disk. Null if it has none. */
    freeBytes: OrNull(Type.Integer()),
  }),
  memories: Type.Integer(),
  chunks: Type.Integer(),
  highlights: Type.Integer(),
  trash: Type.Integer(),
  /** The id of the embedding model. Null if none is configured. */
  model: OrNull(Type.String()),
  embeddings: ReindexState,
  plugins: Type.Object({
    active: Type.Integer(),
    failures: Type.Array(Type.Object({ slug: Type.String(), reason: Type.String() })),
  }),
});

export type Status = Static<typeof Status>;
