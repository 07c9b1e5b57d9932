export { createFakeClock, type FakeClock } from './fake-clock.js';
export { createFakeModel, type FakeModel } from './fake-model.js';
export { createFakeReranker, type FakeReranker } from './fake-reranker.js';
export type { StorageUnderTest } from './harness.js';
export { RANKING, rankSeparately } from './rank-separately.js';
export { createNewMemory, unitVector } from './samples.js';
export { verifyStorage } from './verify-storage.js';
export { type WorstQuery, worstQueries, worstTexts } from './worst-queries.js';
