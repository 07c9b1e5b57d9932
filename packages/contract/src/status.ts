import type { Static } from 'typebox';
import Type from 'typebox';

import { BackupState } from './backup.js';
import type { SetupAnswer } from './extension.js';
import { ReindexState } from './reindex.js';
import { routes } from './routes.js';
import { OrNull } from './schema.js';

import { shippedModels } from './vocabulary.js';

const counted = {
  /** Questions that were asked. */
  queries: Type.Integer(),
  /** Questions whose memory was the first result. */
  first: Type.Integer(),
  /** Questions whose memory was among the first ten results. */
  inTen: Type.Integer(),
};

/** How well search finds memories by their known facts. */
export const SearchTest = Type.Object({
  /** The model that was used; null if there is none. */
  model: OrNull(Type.String()),
  ...counted,
  kinds: Type.Array(
    Type.Object({
      kind: Type.Enum(['titles', 'sentences', 'highlights']),
      ...counted,
      missed: Type.Array(Type.Object({ query: Type.String(), id: Type.String(), title: Type.String() }), {
        description: 'The first questions whose memory was not among the first ten results.',
      }),
    }),
    { description: 'By the source of the questions. Leaves out a source that the store does not have.' },
  ),
});

export type SearchTest = Static<typeof SearchTest>;

/** A challenge of a command, which is not repeated. */
export const ProofBody = Type.Object(
  { challenge: Type.String({ pattern: '^[\\w-]{43}$', description: '256 random bits in base64url.' }) },
  { additionalProperties: false },
);

/** HMAC-SHA-256 of the challenge with the secret of `server.json`, in base64url. */
export const ProofAnswer = Type.Object({ proof: Type.String() });

const ShippedModelName = Type.Enum([...shippedModels]);

/** Which embedding model a store has, and which it can have. */
export const ModelState = Type.Object({
  /** The model that ships and is used. Null: another model is used, or none. */
  model: OrNull(ShippedModelName),
  /** The model that the service changes to, for which it starts again. Null if it does not change. */
  next: OrNull(ShippedModelName),
  /** The environment variable that decides. Null if the model can be chosen. */
  setting: OrNull(Type.String()),
  /** The models that ship. */
  models: Type.Array(
    Type.Object({
      name: ShippedModelName,
      /** The languages that it reads, by their tags, such as `de`. */
      languages: Type.Array(Type.String()),
    }),
  ),
});
export type ModelState = Static<typeof ModelState>;

export const ChooseModelBody = Type.Object({ model: ShippedModelName });

export const HealthAnswer = Type.Object({ status: Type.Literal('ok'), version: Type.String() });

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
    /** Free space on its disk. Null if it has none, or if a database server has it. */
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

/** The part of the setup document that depends on the origin, such as `http://127.0.0.1:4545`, and the version. */
export function describeDeployment(baseUrl: string, version: string): Pick<SetupAnswer, 'product' | 'connection'> {
  return {
    product: { name: 'Recollect', extensionName: 'Recollect Everywhere', extensionVersion: version },
    connection: {
      baseUrl,
      captureUrl: baseUrl + routes.capture.path,
      queryUrl: baseUrl + routes.query.path,
      setupUrl: baseUrl + routes.extensionSetup.path,
      mcpUrl: baseUrl + routes.mcp.path,
      docsUrl: `${baseUrl}/docs/getting-started/extension`,
      downloadUrl: baseUrl + routes.extensionPackage.path,
    },
  };
}
