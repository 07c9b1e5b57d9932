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

/** What core needs from outside. */
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
  /** Null: no model is configured; search is by word alone, and indexing is blocked. */
  embeddingModel: EmbeddingModel | null;
  /** Null: raw pages are refused. */
  articleExtractor: ArticleExtractor | null;
  clock: Clock;
}
