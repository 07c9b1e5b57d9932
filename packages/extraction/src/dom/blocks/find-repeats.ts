import type { Block } from './find-blocks.js';

/** Words from which a repeated text is the same text for another screen or a summary, and not a label or a refrain. */
const LEAST_WORDS = 8;

/**
 * Tells which of the chosen blocks say the same as one before them: pages repeat parts for narrow screens, for readers
 * who have scrolled down and as pull quotes. Items of lists, rows of tables and code may repeat each other.
 *
 * @param isChosen the blocks that were chosen as the text
 */
export function findRepeats(blocks: readonly Block[], isChosen: readonly boolean[]): boolean[] {
  const said = new Set<string>();
  return blocks.map(({ element, words }, place) => {
    if (isChosen[place] !== true || words.length < LEAST_WORDS || element.closest('li, table, pre') !== null)
      return false;
    const text = words.join(' ');
    if (said.has(text)) return true;
    said.add(text);
    return false;
  });
}
