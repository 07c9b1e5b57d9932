import { type ApiKeys, createApiKeys } from './access/api-keys.js';
import { type CaptureVerb, createCapture } from './capture/capture.js';
import type { CorePorts } from './core-ports.js';
import { createIndexing, type Indexing } from './indexing/reindex.js';
import { createMemories, type Memories } from './memories/memories.js';
import { systemClock } from './ports/index.js';
import { createQuery, type QueryVerb } from './retrieval/query.js';

/** Everything that can be done with a memory. Errors that a person can act on are {@link RecollectError}s. */
export interface Core {
  capture: CaptureVerb;
  query: QueryVerb;
  memories: Memories;
  indexing: Indexing;
  apiKeys: ApiKeys;
}

export type CoreOptions = Omit<CorePorts, 'embeddingModel' | 'articleExtractor' | 'clock'> &
  Partial<Pick<CorePorts, 'embeddingModel' | 'articleExtractor' | 'clock'>>;

/** Binds the rules of memory to a store, and to a model and an extractor where there are any. */
export function createCore(options: CoreOptions): Core {
  const ports: CorePorts = { embeddingModel: null, articleExtractor: null, clock: systemClock, ...options };
  return {
    capture: createCapture(ports),
    query: createQuery(ports),
    memories: createMemories(ports),
    indexing: createIndexing(ports),
    apiKeys: createApiKeys(ports),
  };
}
