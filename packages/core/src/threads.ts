// The part of core that threads of the adapters need. Loading all of core takes each thread a tenth of a second.

export { valuesOf } from '@recollect/contract/query-syntax';
export { stopWords } from '@recollect/contract/text';
export { wordLikelihood } from './retrieval/spelling/correct-query.js';
export { createWordList, type SimilarWord, type WordList } from './retrieval/spelling/word-list.js';
export { lateCandidates } from './retrieval/stages/rerank.js';
export { toPhrase } from './text/normalise-text.js';
export { isTexts, readJson } from './text/readable-json.js';
