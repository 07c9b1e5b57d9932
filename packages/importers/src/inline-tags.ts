import { proseOf } from './markdown-prose.js';

/** Letters of any script with their marks, digits, `_`, `-`, `/` and emoji with their joiners. */
const CHARACTER =
  '[\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}\\u200c\\u200d_/-]';
const WORD = `${CHARACTER}+`;
/**
 * A tag of Obsidian and Bear, `#tea` or `#drinks/tea`, and one of several words in Bear, `#green tea#`. A single letter
 * before the closing sign is a word with that sign: C#, F#.
 */
const TAG = new RegExp(
  `(?<=^|\\s)#(?:(?<words>${WORD}(?: ${WORD})+)(?<! \\p{L})#(?![\\p{L}\\p{M}\\p{N}_#])|(?<word>${WORD}))`,
  'gmu',
);
const EDGES = /^[/-]+|(?<![/-])[/-]+$/g;

/**
 * The tags in the text of a note, in their order. A tag follows white space, and is neither a number nor in code or a
 * link.
 *
 * @example
 * inlineTags('Steep it. #drinks/tea, see issue #12'); // ['drinks/tea']
 */
export function inlineTags(markdown: string): string[] {
  const tags = [...proseOf(markdown).matchAll(TAG)].map(({ groups }) => groups?.words ?? groups?.word ?? '');
  return [...new Set(tags.map((tag) => tag.replace(EDGES, '')).filter((tag) => /\P{N}/u.test(tag)))];
}
