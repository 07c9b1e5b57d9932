export { count } from './count.js';
export { byActor, describeActor } from './describe-actor.js';
export { displayed } from './displayed.js';
export { formatBytes } from './format-bytes.js';
export { plainText } from './plain-text.js';
export { clipText, sliceText, wholeBoundary } from './slice.js';
export { foldWord, isFormOf, markMatches, type Piece } from './word-forms.js';
