export { scorePassages, signsOf } from './late-interaction.js';
export { LockTimeoutError } from './lock.js';
export {
  type Changes,
  type Facts,
  type Filter,
  FullError,
  type Hit,
  openVectors,
  type SearchOptions,
  type Shape,
  type Vectors,
} from './open-vectors.js';
export { type PreparedQuery, prepareQuery, similarityOf } from './prepare-query.js';
export { dequantise, quantise, scaleOf } from './quantise.js';
export { createSharedVectors, type SharedVectors, type SharedVectorsOptions } from './shared-vectors.js';
