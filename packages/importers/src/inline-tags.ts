/** Stands for omitted text, so that the text around it does not become one word. */
const GAP = '|';
const FRONT_MATTER = /(?<![\s\S])---[ \t]*\r?\n[\s\S]*?^---[ \t]*$/m;
/** A line that begins or ends a block of code, in a quotation or a list as well. */
const FENCE = /^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(?<fence>`{3,}|~{3,})(?<info>.*)/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** Inline links, reference links, links to notes, and link definitions. */
const LINKS =
  /\[\[[^[\]\n]*\]\]|\[[^[\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^[\]\n]*\])|^ {0,3}\[[^^[\]\n][^[\]\n]*\]:.*$/gm;
/** A tag of HTML with its attributes, a comment, or an address in angle brackets. */
const MARKUP = /<[a-z/!][^<>]*>/gi;

/**
 * The text of a note in Markdown without its front matter, code, links and tags of HTML, in whose place is a character
 * that is not part of a word.
 *
 * @example
 * proseOf('Run `#include` [here](https://a.example/#b).'); // 'Run | |.'
 */
export function proseOf(markdown: string): string {
  const text = markdown.replace(/^\uFEFF/, '');
  return withoutCodeSpans(withoutBlocks(text.replace(FRONT_MATTER, '')))
    .replace(LINKS, GAP)
    .replace(MARKUP, GAP);
}

/** Leaves out fenced code, which may lack its end, and indented code. */
function withoutBlocks(text: string): string {
  let fence = '';
  let isCode = false;
  let isInList = false;
  let isAfterEmpty = true;
  const lines = text.split('\n').map((line) => {
    const { fence: mark = '', info = '' } = FENCE.exec(line)?.groups ?? {};
    if (fence !== '') {
      const isEnd = mark.startsWith(fence) && info.trim() === '';
      if (isEnd) fence = '';
      return GAP;
    }
    if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
      fence = mark;
      return GAP;
    }
    const isEmpty = line.trim() === '';
    // Indented lines of a list are its text, and indented lines continue a paragraph.
    isCode = INDENTED.test(line) && !isInList && (isCode || isAfterEmpty);
    if (!isEmpty && !INDENTED.test(line)) isInList = LIST_ITEM.test(line) || (isInList && !isAfterEmpty);
    isAfterEmpty = isEmpty || (isCode && isAfterEmpty);
    return isCode && !isEmpty ? GAP : line;
  });
  return lines.join('\n');
}

/** Leaves out inline code: text between two equal runs of backticks. */
function withoutCodeSpans(text: string): string {
  return text
    .split(/(\n[ \t]*\r?\n)/)
    .map((paragraph) => {
      const runs = [...paragraph.matchAll(/`+/g)];
      if (runs.length < 2) return paragraph;
      const last = new Map(runs.map(({ 0: run, index }) => [run.length, index]));
      const parts: string[] = [];
      let end = 0;
      for (let at = 0; at < runs.length; at++) {
        const opening = runs[at];
        if (opening === undefined || last.get(opening[0].length) === opening.index) continue;
        let closing = at + 1;
        while (runs[closing]?.[0] !== opening[0]) closing += 1;
        parts.push(paragraph.slice(end, opening.index), GAP);
        end = (runs[closing]?.index ?? 0) + opening[0].length;
        at = closing;
      }
      return [...parts, paragraph.slice(end)].join('');
    })
    .join('');
}

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
