export * from './api-key-store.js';
export * from './article-extractor.js';
export * from './clock.js';
export * from './embedding-model.js';
export * from './indexing-job-store.js';
export * from './memory-store.js';
export * from './text-index.js';
export * from './vector-index.js';
