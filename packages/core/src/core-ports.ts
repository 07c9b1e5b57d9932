import type {
  ApiKeyStore,
  ArticleExtractor,
  ChangeLog,
  Clock,
  EmbeddingModel,
  EventOutbox,
  HighlightStore,
  HistoryStore,
  IndexingJobStore,
  InstallationStore,
  LeaseStore,
  MemoryStore,
  PluginHost,
  PluginJobStore,
  PluginStateStore,
  SessionStore,
  StoreInspector,
  TextIndex,
  VectorIndex,
} from './ports/index.js';

/** All ports of core. Each verb declares the ones that it needs. */
export interface CorePorts {
  memories: MemoryStore;
  history: HistoryStore;
  highlights: HighlightStore;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  changes: ChangeLog;
  indexingJobs: IndexingJobStore;
  apiKeys: ApiKeyStore;
  sessions: SessionStore;
  leases: LeaseStore;
  installations: InstallationStore;
  pluginJobs: PluginJobStore;
  pluginState: PluginStateStore;
  eventOutbox: EventOutbox;
  inspector: StoreInspector;
  pluginHost: PluginHost;
  /** Null: no model is configured; search is full text only, and indexing is blocked. */
  embeddingModel: EmbeddingModel | null;
  /** Null: raw pages are rejected. */
  articleExtractor: ArticleExtractor | null;
  clock: Clock;
}
