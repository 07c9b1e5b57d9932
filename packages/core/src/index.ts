export { createApiKey, formatApiKey, isApiKey, prefixOf } from './access/api-key-format.js';
export { type ApiKeyRequest, type ApiKeys, createApiKeys, type KeyHolder } from './access/api-keys.js';
export {
  type CaptureOptions,
  type CaptureOutcome,
  type CapturePorts,
  type CaptureVerb,
  createCapture,
  type EmbeddingState,
} from './capture/capture.js';
export { createId } from './capture/create-id.js';
export { estimateTokens } from './capture/estimate-tokens.js';
export { inCapture } from './capture/in-capture.js';
export { mergeMetadata, mergeNotes, mergeTags } from './capture/merge-capture.js';
export type { CorePorts } from './core-ports.js';
export { type Core, type CoreOptions, createCore } from './create-core.js';
export { LeaseLostError, RecollectError } from './error.js';
export { createIndexing, type Indexing, type IndexingPorts } from './indexing/reindex.js';
export type { Jobs } from './jobs/jobs.js';
export { createMemories, type Memories, type MemoriesPorts } from './memories/memories.js';
export * from './memory.js';
export * from './plugin.js';
export { createPluginVerbs, type PluginPorts, type PluginVerbs } from './plugins/create-plugin-verbs.js';
export type { DeliverOptions, Events } from './plugins/deliver-events.js';
export type { InstallOptions, Plugins } from './plugins/plugins.js';
export * from './ports/index.js';
export { normaliseText } from './retrieval/normalise-text.js';
export {
  createQuery,
  type QueryOptions,
  type QueryOutcome,
  type QueryPorts,
  type QueryVerb,
} from './retrieval/query.js';
export { readFilter } from './retrieval/read-filter.js';
