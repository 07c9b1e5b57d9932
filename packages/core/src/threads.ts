// The part of core that threads of the adapters need. Loading all of core takes each thread a tenth of a second.

export { valuesOf } from '@recollect/contract/query-syntax';
export { stopWords } from '@recollect/contract/text';
export { knownWords } from './retrieval/spelling/known-words.js';
export { createWordList, type SimilarWord, type WordList } from './retrieval/spelling/word-list.js';
export { chunksToRead, type Fusion, fuseCandidates } from './retrieval/stages/rank.js';
export { chooseWord, MAX_COUNTED_CHUNKS, type NearWord, nearWords } from './retrieval/text-plan/choose-word.js';
export { addComments, mayBeInComments } from './retrieval/text-plan/comments.js';
export {
  type Completion,
  completionsOf,
  MAX_COMPLETIONS,
  MIN_TYPED_ROWS,
} from './retrieval/text-plan/complete-word.js';
export * from './retrieval/text-plan/phrases.js';
export {
  type CountedWord,
  MIN_SCORE,
  planWords,
  type RankingWords,
  rarityOf,
  type WordPlan,
} from './retrieval/text-plan/plan-words.js';
export {
  addWithinWords,
  type LongerWords,
  MAX_LONGER,
  partsOf,
  scoredChunks,
} from './retrieval/text-plan/within-words.js';
export { normaliseText, toPhrase } from './text/normalise-text.js';
export { isComments, isObject, isTextByName, isTexts, readJson } from './text/readable-json.js';
