export { encodeBase64 } from './base64.js';
export { byActor, describeActor, describeFields, displayed } from './describe.js';
export { count, countWords, describeInterval, describeRange, describeTime, formatBytes } from './format.js';
export {
  clipText,
  foldLetters,
  isAscii,
  plainLetters,
  searchedLetter,
  searchedLetters,
  sliceText,
  unseenInWords,
  unspacedLetter,
  wellFormed,
  wholeBoundary,
} from './letters.js';
export { createMatcher, type Match, markMatches, type Piece } from './mark-matches.js';
export { type NoteLink, noteKey, noteLinkAt, noteTargets } from './note-links.js';
export { addressesIn } from './page-links.js';
export { isPageAddress, isPdf, parseUrl } from './parse-url.js';
export { beginningOf, plainText, repeatsTitle, withoutEmphasis, withoutHeadline, withoutHtml } from './plain-text.js';
export { hasProclitics, procliticForms, procliticFormsIn, withoutProclitics } from './proclitics.js';
export { type TagNode, tagTree } from './tag-tree.js';
export { branchKey, isInBranch, readTags, splitTags, tagKey, tagPath, tagsAbove, uniqueTags } from './tags.js';
export {
  createFormFinder,
  createPartFinder,
  foldWord,
  formPattern,
  joinGroups,
  otherSpellings,
  replaceWords,
  stemOf,
  stopWords,
} from './word-forms.js';
