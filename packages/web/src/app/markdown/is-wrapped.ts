/** Characters of a line that may have been wrapped at the widths that editors and authors use. */
const WRAPPED_CHARACTERS = { shortest: 50, longest: 140 };
/** The fewest ends of such lines that say something about a text, and how many are looked at. */
const MIN_LINE_ENDS = 2;
const MAX_LINE_ENDS = 300;
/** The share of them that a line with a small letter at its start must follow, which is rare in logs and poems. */
const MIN_CONTINUED_SHARE = 0.5;

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
/** Tables, headings, code, pictures and link definitions are not paragraphs. */
const NO_PARAGRAPH = /^(?:\s*$|\s*[#|]| {4}|\t|\s*!?\[[^\]]*\]:|\s*\[?!\[)/;
/** A list item or a quote, which begins a new block. */
const BLOCK_START = /^\s*(?:[-+*>]|\d{1,9}[.)])\s/;
const HARD_BREAK = /(?: {2}|\\)$/;

/**
 * Whether the author of a text wrapped its lines, as in Markdown files and e-mails, so that their ends mean nothing:
 * most long lines end in the middle of a sentence.
 *
 * @example
 * isWrapped('Roses are red,\nviolets are blue.'); // false: lines as short as these end where they should
 */
export function isWrapped(text: string): boolean {
  const following = [...linesAfterLong(text)];
  const continued = following.filter((line) => /^\s*[("'“‘]?\p{Ll}/u.test(line)).length;
  return following.length >= MIN_LINE_ENDS && continued >= MIN_CONTINUED_SHARE * following.length;
}

/** The lines that follow a long one in the same paragraph. */
function* linesAfterLong(text: string): Generator<string> {
  let lineEnds = 0;
  let isCode = false;
  let isLong = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const isParagraph = !isCode && !FENCE.test(line) && !NO_PARAGRAPH.test(line);
    if (isLong && isParagraph && !BLOCK_START.test(line)) {
      yield line;
      lineEnds += 1;
      if (lineEnds === MAX_LINE_ENDS) return;
    }
    const { length } = line;
    isLong =
      isParagraph &&
      !HARD_BREAK.test(line) &&
      length >= WRAPPED_CHARACTERS.shortest &&
      length <= WRAPPED_CHARACTERS.longest;
  }
}
