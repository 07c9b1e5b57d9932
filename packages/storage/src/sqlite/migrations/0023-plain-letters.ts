/** The index now has no accents of any script, no vowel points of Hebrew and Arabic, and no soft hyphens. */
export { up } from './0018-spellings.js';
