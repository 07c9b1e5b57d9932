// What threads of the adapters need of core. Loading all of it takes each thread a tenth of a second.
export { createWordList } from './retrieval/spelling/word-list.js';
export { stopWords } from './retrieval/stop-words.js';
