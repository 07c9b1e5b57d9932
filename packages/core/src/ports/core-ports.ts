import type {
  ApiKeyStore,
  ArticleExtractor,
  AuditLog,
  BackupRestorer,
  BackupStore,
  ChangeLog,
  Clock,
  Dictionary,
  EmbeddingModel,
  ErrorLog,
  EventOutbox,
  ExportReader,
  FindNewestBackup,
  HighlightStore,
  HistoryStore,
  HybridIndex,
  ImportStore,
  IndexingJobStore,
  InstallationStore,
  IntegrityStore,
  LeaseStore,
  MemoryStore,
  ModelCatalogue,
  PageFetcher,
  PairingStore,
  PictureStore,
  PluginHost,
  PluginJobStore,
  PluginStateStore,
  ReadYaml,
  RecordStore,
  Reranker,
  SavedSearchStore,
  SessionStore,
  ShareStore,
  SignInStore,
  StatisticsStore,
  StoreInspector,
  TagLookStore,
  TextIndex,
  UserStore,
  VectorIndex,
} from './index.js';

/** The stores that core needs, over one database. */
export interface StorePorts {
  memories: MemoryStore;
  history: HistoryStore;
  highlights: HighlightStore;
  savedSearches: SavedSearchStore;
  shares: ShareStore;
  tagLooks: TagLookStore;
  pictures: PictureStore;
  records: RecordStore;
  imports: ImportStore;
  statistics: StatisticsStore;
  hybridIndex: HybridIndex;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  changes: ChangeLog;
  integrity: IntegrityStore;
  indexingJobs: IndexingJobStore;
  users: UserStore;
  signIns: SignInStore;
  auditLog: AuditLog;
  apiKeys: ApiKeyStore;
  sessions: SessionStore;
  pairings: PairingStore;
  leases: LeaseStore;
  installations: InstallationStore;
  pluginJobs: PluginJobStore;
  pluginState: PluginStateStore;
  eventOutbox: EventOutbox;
  inspector: StoreInspector;
  errorLog: ErrorLog;
}

/** All ports of core. Each use case declares the ports that it needs. */
export interface CorePorts extends StorePorts {
  pluginHost: PluginHost;
  /** Null: no model is configured; search is full text only, and indexing is blocked. */
  embeddingModel: EmbeddingModel | null;
  /**
   * Models that may have embedded the store before, and can still embed a query. Searches use them until a change of
   * the model is done.
   */
  previousModels: readonly EmbeddingModel[];
  /** Null: the model cannot be chosen. */
  modelCatalogue: ModelCatalogue | null;
  /** Null: careful search answers as others do, with a warning. */
  reranker: Reranker | null;
  /** Null: the words of the model alone are known to exist. */
  dictionary: Dictionary | null;
  /** Null: raw pages are rejected. */
  articleExtractor: ArticleExtractor | null;
  /** Null: no page is fetched. */
  pageFetcher: PageFetcher | null;
  /** Null: no export of another program is known. */
  exportReader: ExportReader | null;
  /** Null: the front matter of Markdown files stays text. */
  readYaml: ReadYaml | null;
  /** Null: the store is in memory and has no backups. */
  backupStore: BackupStore | null;
  /** Null: only a command restores backups. */
  backupRestorer: BackupRestorer | null;
  /** What the operator of a database does in place of backups. Null for other stores. */
  backupAdvice: string | null;
  clock: Clock;
  /** Finds none by default. */
  newestBackup: FindNewestBackup;
}
