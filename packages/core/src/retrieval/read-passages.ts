import { plainText, wholeBoundary } from '@recollect/contract/text';
import { measureText } from '../chunking/chunk-text.js';
import { estimateTokens } from '../chunking/estimate-tokens.js';
import type { MemoryStore } from '../ports/index.js';
import type { MemoryWithResult } from './stages/present.js';

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
  memories: Pick<MemoryStore, 'findAll'>,
  userId: string,
  results: readonly MemoryWithResult[],
  tokens: number | undefined,
): Promise<FoundPassage[]> {
  const passages: FoundPassage[] = [];
  const ids = results.flatMap(({ memory, result, isWhole }) =>
    isWhole || result.match.comment !== undefined ? [] : [memory.id],
  );
  const read = ids.length === 0 ? [] : await memories.findAll(userId, ids);
  const texts = new Map(read.map(({ id, text }) => [id, text]));
  let left = tokens ?? 0;
  for (const [place, { memory, result, chunk, isWhole }] of results.entries()) {
    const { excerpt, match } = result;
    if (match.comment !== undefined) {
      passages.push({ text: excerpt, offset: 0, sections: [] });
      continue;
    }
    const offset = match.passage.start + locateExcerpt(chunk, excerpt);
    const whole = isWhole ? chunk : (texts.get(memory.id) ?? '');
    const sections = sectionPath(whole, offset);
    const share = Math.floor(left / (results.length - place));
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

/** A heading of Markdown, or the beginning or end of a code block, in which `#` begins a comment. */
const LINE = /^ {0,3}(?:(?<fence>`{3,}|~{3,})|(?<marks>#{1,6})[ \t]+(?<heading>[^\n]*))/gm;

/**
 * The headings under which a place of a Markdown text stands, from the outermost to the innermost. Empty before the
 * first heading.
 *
 * @param at the place, in UTF-16 code units; a heading that begins there counts
 * @example
 * sectionPath('# Tea\n\n## Green\n\nSteep it at 80 °C.', 20); // ['Tea', 'Green']
 */
export function sectionPath(text: string, at: number): string[] {
  const path: { level: number; heading: string }[] = [];
  let fence = '';
  for (const { index, groups } of text.matchAll(LINE)) {
    if (index > at) break;
    const { fence: opened, marks = '', heading = '' } = groups ?? {};
    if (opened !== undefined) {
      if (fence === '') fence = opened;
      else if (opened.startsWith(fence)) fence = '';
      continue;
    }
    if (fence !== '') continue;
    while ((path.at(-1)?.level ?? 0) >= marks.length) path.pop();
    path.push({ level: marks.length, heading });
  }
  return path.map(({ heading }) => plainText(heading.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')).trim()).filter(Boolean);
}

/** Words that are looked for: more could include marks and addresses that an excerpt leaves out. */
const WORDS = 3;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Made once: an expression with classes of Unicode takes a millisecond. */
const BETWEEN = /[^\p{L}\p{N}\p{M}]+/uy;

/**
 * Where an excerpt begins in its chunk, in UTF-16 code units. Never behind it: where the excerpt differs too much from
 * the chunk, it is 0.
 *
 * @example
 * locateExcerpt('# Tea\n\nSteep **green** tea.', '…Steep green tea.'); // 7
 */
export function locateExcerpt(chunk: string, excerpt: string): number {
  if (!excerpt.startsWith('…')) return 0;
  const [first, ...others] = excerpt.match(WORD)?.slice(0, WORDS) ?? [];
  if (first === undefined) return 0;
  for (let at = chunk.indexOf(first); at >= 0; at = chunk.indexOf(first, at + 1))
    if (isFollowedBy(others, chunk, at + first.length)) return at;
  return 0;
}

/** Whether words stand at a place of a text, each after something that belongs to no word. */
function isFollowedBy(words: readonly string[], text: string, at: number): boolean {
  let end = at;
  return words.every((word) => {
    BETWEEN.lastIndex = end;
    if (!BETWEEN.test(text) || !text.startsWith(word, BETWEEN.lastIndex)) return false;
    end = BETWEEN.lastIndex + word.length;
    return true;
  });
}

/** Characters around a passage that are looked at for each token. English has four or five to a token. */
const CHARACTERS_PER_TOKEN = 8;
/** Tokens of the pieces that a text is widened by: sentences, and parts of longer ones. */
const PIECE = 60;

/** A part of a text, in UTF-16 code units. */
interface Range {
  start: number;
  end: number;
}

/**
 * The part of a text around a place that has at most so many tokens, as `estimateTokens` counts: from the place to the
 * end of its passage, then the beginning of the passage, then the text after and before it. Whole sentences, unless a
 * single one is too long.
 *
 * @param passage the part of the text that matched
 * @param at the place within it that matched best
 */
async function widenPassage(
  text: string,
  passage: Range,
  at: number,
  tokens: number,
): Promise<Range & { tokens: number }> {
  const room = tokens * CHARACTERS_PER_TOKEN;
  const from = wholeBoundary(text, Math.max(0, Math.min(passage.start, at) - room));
  const to = wholeBoundary(text, Math.max(passage.end, at) + room);
  const target = Math.min(PIECE, tokens);
  const sizes = { target, maximum: target, countTokens: estimateTokens };
  const pieces = await measureText(text.slice(from, to), sizes);
  const starts: number[] = [];
  let next = from;
  for (const piece of pieces) {
    starts.push(next);
    next += piece.text.length;
  }
  const startOf = (index: number) => starts[index] ?? to;
  // The window may begin or end within a word, so only the ends of the text are taken there.
  const first = from === 0 ? 0 : 1;
  const last = to === text.length ? pieces.length : pieces.length - 1;
  let begin = Math.max(
    first,
    starts.findLastIndex((start) => start <= at),
  );
  let end = begin;
  let left = tokens;
  const takes = (index: number) => {
    const cost = pieces[index]?.tokens ?? Number.POSITIVE_INFINITY;
    if (index < first || index >= last || cost > left) return false;
    left -= cost;
    return true;
  };
  const forward = () => takes(end) && ++end > 0;
  const backward = () => takes(begin - 1) && --begin >= 0;
  while (startOf(end) < passage.end && forward());
  while (startOf(begin) > passage.start && backward());
  for (let [after, before] = [true, true]; after || before; ) {
    after &&= forward();
    before &&= backward();
  }
  return { start: startOf(begin), end: startOf(end), tokens: tokens - left };
}
