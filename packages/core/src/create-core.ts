import { type ApiKeys, createApiKeys } from './access/api-keys.js';
import { createSessions, type Sessions } from './access/sessions.js';
import { type CaptureVerb, createCapture } from './capture/capture.js';
import type { CorePorts } from './core-ports.js';
import { createHighlights, type Highlights } from './highlights/highlights.js';
import { createIndexing, type Indexing } from './indexing/reindex.js';
import { type BulkChanges, createBulkChanges } from './memories/bulk-changes.js';
import { createMemories, type Memories } from './memories/memories.js';
import { createTrash, type Trash } from './memories/trash.js';
import { createPluginVerbs, type PluginVerbs } from './plugins/create-plugin-verbs.js';
import { noPluginHost } from './plugins/no-plugin-host.js';
import { type ChangeLog, systemClock } from './ports/index.js';
import { createQuery, type QueryVerb } from './retrieval/query.js';
import { createStatus, type StatusVerb } from './status/status.js';

/** All verbs. Errors that a person can act on are {@link RecollectError}s. */
export interface Core extends PluginVerbs {
  capture: CaptureVerb;
  query: QueryVerb;
  memories: Memories;
  bulk: BulkChanges;
  trash: Trash;
  highlights: Highlights;
  indexing: Indexing;
  apiKeys: ApiKeys;
  sessions: Sessions;
  status: StatusVerb;
  /** The change sequence, for notifications. */
  changes: ChangeLog;
}

type Optional = 'embeddingModel' | 'articleExtractor' | 'clock' | 'pluginHost';
export type CoreOptions = Omit<CorePorts, Optional> & Partial<Pick<CorePorts, Optional>>;

/**
 * Makes all verbs over one store, for the applications. To use only a few, call their own functions, such as `createCapture`
 * and `createQuery`, with the ports that they need.
 *
 * @example
 * const storage = await openStorage({ url: 'sqlite::memory:' });
 * const core = createCore({ ...storage, embeddingModel });
 * await core.capture('local', [{ pageText: 'Green tea is best steeped below boiling.' }]);
 * const { answer } = await core.query('local', 'how hot for tea');
 */
export function createCore(options: CoreOptions): Core {
  const ports: CorePorts = {
    embeddingModel: null,
    articleExtractor: null,
    clock: systemClock,
    pluginHost: noPluginHost,
    ...options,
  };
  const capture = createCapture(ports);
  const query = createQuery(ports);
  const indexing = createIndexing(ports);
  const pluginVerbs = createPluginVerbs(ports, { capture, query });
  return {
    capture,
    query,
    memories: createMemories(ports),
    bulk: createBulkChanges(ports, query),
    trash: createTrash(ports),
    highlights: createHighlights(ports),
    indexing,
    apiKeys: createApiKeys(ports),
    sessions: createSessions(ports),
    status: createStatus(ports, { indexing, plugins: pluginVerbs.plugins }),
    changes: ports.changes,
    ...pluginVerbs,
  };
}
