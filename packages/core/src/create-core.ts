import { type ApiKeys, createApiKeys } from './access/api-keys.js';
import { type CaptureVerb, createCapture } from './capture/capture.js';
import type { CorePorts } from './core-ports.js';
import { createIndexing, type Indexing } from './indexing/reindex.js';
import { createJobs, type Jobs } from './jobs/jobs.js';
import { createMemories, type Memories } from './memories/memories.js';
import { createAnswerPlugin } from './plugins/answer-plugin.js';
import { createCallPlugin } from './plugins/call-plugin.js';
import { createCatalogue } from './plugins/catalogue.js';
import { createEvents, type Events } from './plugins/deliver-events.js';
import { noPluginHost } from './plugins/no-plugin-host.js';
import { createPlugins, type Plugins } from './plugins/plugins.js';
import { systemClock } from './ports/index.js';
import { createQuery, type QueryVerb } from './retrieval/query.js';

/** Everything that can be done with a memory. Errors that a person can act on are {@link RecollectError}s. */
export interface Core {
  capture: CaptureVerb;
  query: QueryVerb;
  memories: Memories;
  indexing: Indexing;
  apiKeys: ApiKeys;
  plugins: Plugins;
  jobs: Jobs;
  events: Events;
}

type Optional = 'embeddingModel' | 'articleExtractor' | 'clock' | 'pluginHost';
export type CoreOptions = Omit<CorePorts, Optional> & Partial<Pick<CorePorts, Optional>>;

/** Binds the rules of memory to a store, and to a model, an extractor and a place for plugins where there are any. */
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
  const catalogue = createCatalogue(ports);
  const callPlugin = createCallPlugin(ports, createAnswerPlugin(ports, { query, capture }));
  return {
    capture,
    query,
    memories: createMemories(ports),
    indexing: createIndexing(ports),
    apiKeys: createApiKeys(ports),
    plugins: createPlugins(ports, catalogue),
    jobs: createJobs(ports, catalogue, callPlugin),
    events: createEvents(ports, catalogue, callPlugin),
  };
}
