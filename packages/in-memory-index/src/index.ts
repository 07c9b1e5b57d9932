export type { Facts, Filter } from './lane-filter.js';
export { scorePassages, signsOf } from './late-interaction.js';
export { LockTimeoutError } from './lock.js';
export { openTexts } from './open-texts.js';
export {
  type Changes,
  FullError,
  type Hit,
  openVectors,
  type SearchOptions,
  type Shape,
  type Vectors,
} from './open-vectors.js';
export { type PreparedQuery, prepareQuery, similarityOf } from './prepare-query.js';
export { dequantise, quantise, scaleOf } from './quantise.js';
export { createSharedTexts, type SharedTexts } from './shared-texts.js';
export { createSharedVectors, type SharedVectors, type SharedVectorsOptions } from './shared-vectors.js';
export type { RankRequest, TextChanges, TextDocument, TextHit, TextImage, Texts, TextTerm, TextWord } from './texts.js';
