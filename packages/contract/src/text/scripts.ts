/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];

/** The space of Korean separates phrases, in which particles are joined to words. */
const BY_CHARACTER = [...WITHOUT_SPACES, 'Hangul'];

const classOf = (scripts: readonly string[]) => `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Matches a letter of a script that is written without spaces, where a run of letters can be many words. */
export const unspacedLetter = new RegExp(classOf(WITHOUT_SPACES), 'u');

/** Matches a letter of a script in which words are found as parts of a run of letters. */
export const searchedLetter = new RegExp(classOf(BY_CHARACTER), 'u');

/** All such letters, with their marks: the full-text index has each as a word. */
export const searchedLetters = new RegExp(`${classOf(BY_CHARACTER)}\\p{M}*`, 'gu');
