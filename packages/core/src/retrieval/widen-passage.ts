import { wholeBoundary } from '@recollect/contract/text';
import { measureText } from '../capture/chunk-text.js';
import { estimateTokens } from '../capture/estimate-tokens.js';

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
export async function widenPassage(
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
