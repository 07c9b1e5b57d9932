import type {
  ApiKeyStore,
  ArticleExtractor,
  Clock,
  EmbeddingModel,
  IndexingJobStore,
  MemoryStore,
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
  /** Null: no model is configured; search is by word alone, and indexing is blocked. */
  embeddingModel: EmbeddingModel | null;
  /** Null: raw pages are refused. */
  articleExtractor: ArticleExtractor | null;
  clock: Clock;
}
