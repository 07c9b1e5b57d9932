import type { MemoryStore } from '../ports/index.js';
import { locateExcerpt } from './locate-excerpt.js';
import { sectionPath } from './section-path.js';
import type { MemoryWithResult } from './stages/present.js';
import { widenPassage } from './widen-passage.js';

/** The part of a memory's text that answers a query, ready to be quoted. */
export interface FoundPassage {
  /** The excerpt, or, within a budget, the text itself around it. */
  text: string;
  /** Where it begins in the text, or shortly before, in UTF-16 code units. */
  offset: number;
  /** The headings that it stands under, from the outermost to the innermost. */
  sections: string[];
}

/**
 * Reads where the excerpts of results stand in their texts. With `tokens`, each also gets its share of them: text
 * around its excerpt. The unused share of a short text goes to the texts after it.
 */
export async function readPassages(
  memories: Pick<MemoryStore, 'find'>,
  userId: string,
  found: readonly MemoryWithResult[],
  tokens: number | undefined,
): Promise<FoundPassage[]> {
  const passages: FoundPassage[] = [];
  let left = tokens ?? 0;
  for (const [place, { memory, result, chunk }] of found.entries()) {
    const { excerpt, match } = result;
    const offset = match.passage.start + locateExcerpt(chunk, excerpt);
    const whole = (await memories.find(userId, memory.id))?.text ?? '';
    const sections = sectionPath(whole, offset);
    const share = Math.floor(left / (found.length - place));
    if (share === 0 || whole === '') {
      passages.push({ text: excerpt, offset, sections });
      continue;
    }
    const wide = await widenPassage(whole, match.passage, offset, share);
    passages.push({ text: whole.slice(wide.start, wide.end), offset: wide.start, sections });
    left -= wide.tokens;
  }
  return passages;
}
