import { type ApiKeys, createApiKeys } from './access/api-keys.js';
import { type CaptureVerb, createCapture } from './capture/capture.js';
import type { CorePorts } from './core-ports.js';
import { createIndexing, type Indexing } from './indexing/reindex.js';
import { createMemories, type Memories } from './memories/memories.js';
import { createPluginVerbs, type PluginVerbs } from './plugins/create-plugin-verbs.js';
import { noPluginHost } from './plugins/no-plugin-host.js';
import { systemClock } from './ports/index.js';
import { createQuery, type QueryVerb } from './retrieval/query.js';

/** All verbs. Errors that a person can act on are {@link RecollectError}s. */
export interface Core extends PluginVerbs {
  capture: CaptureVerb;
  query: QueryVerb;
  memories: Memories;
  indexing: Indexing;
  apiKeys: ApiKeys;
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
  return {
    capture,
    query,
    memories: createMemories(ports),
    indexing: createIndexing(ports),
    apiKeys: createApiKeys(ports),
    ...createPluginVerbs(ports, { capture, query }),
  };
}
