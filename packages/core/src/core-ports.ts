import type {
  ApiKeyStore,
  ArticleExtractor,
  Clock,
  EmbeddingModel,
  EventOutbox,
  IndexingJobStore,
  InstallationStore,
  LeaseStore,
  MemoryStore,
  PluginHost,
  PluginJobStore,
  PluginStateStore,
  TextIndex,
  VectorIndex,
} from './ports/index.js';

/** All ports of core. Each verb declares the ones that it needs. */
export interface CorePorts {
  memories: MemoryStore;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  indexingJobs: IndexingJobStore;
  apiKeys: ApiKeyStore;
  leases: LeaseStore;
  installations: InstallationStore;
  pluginJobs: PluginJobStore;
  pluginState: PluginStateStore;
  eventOutbox: EventOutbox;
  pluginHost: PluginHost;
  /** Null: no model is configured; search is full text only, and indexing is blocked. */
  embeddingModel: EmbeddingModel | null;
  /** Null: raw pages are rejected. */
  articleExtractor: ArticleExtractor | null;
  clock: Clock;
}
