import type { Line } from './lines.js';

const HYPHEN = /[-\u00ad\u2010]$/;
const BROKEN = /(?<!\p{L})(\p{L}+)[-\u00ad\u2010]$/u;
/** The same with all letters of the part, after any character. */
const BROKEN_END = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+[-\u00ad\u2010]$/u;
const REST = /^(\p{Ll}[\p{L}\p{M}]*)/u;
/** Words after the hyphen of "short- and long-term". */
const JOINING = /^(?:und|oder|bis|sowie|and|or|to|et|ou|y|o|e)$/;
/** Addresses, paths and options, whose hyphens are their own. */
const NAME = /(?:[/@\\]|^-)/;

/**
 * Joins words that are broken at the ends of lines. The rest of the word moves to the first of the two lines. A hyphen
 * stays if the document has the hyphenated word or its first part elsewhere, and never has the joined word.
 */
export function joinHyphens(lines: readonly Line[]): Line[] {
  const words = new Set(
    lines.flatMap(
      ({ text }) =>
        text
          .toLowerCase()
          .replace(BROKEN_END, '')
          .match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu) ?? [],
    ),
  );
  const isWritten = (word: string) => words.has(word.toLowerCase());
  const joined = lines.map((line) => ({ ...line }));
  for (const [at, line] of joined.entries()) {
    const next = joined[at + 1];
    if (next === undefined || !HYPHEN.test(line.text) || line.isCode || next.isCode) continue;
    const token = line.text.slice(line.text.lastIndexOf(' ') + 1);
    const [, beginning] = BROKEN.exec(token) ?? [];
    const [, rest] = REST.exec(next.text) ?? [];
    if (beginning === undefined || rest === undefined || JOINING.test(rest) || NAME.test(token)) continue;
    const isOwn = isWritten(`${beginning}-${rest}`) || (isWritten(beginning) && isWritten(rest));
    const keepsHyphen = !line.text.endsWith('\u00ad') && isOwn && !isWritten(beginning + rest);
    line.text = `${line.text.replace(HYPHEN, keepsHyphen ? '-' : '')}${rest}`;
    next.text = next.text.slice(rest.length).trimStart();
    // Punctuation belongs to the word.
    const [mark = ''] = /^[.,;:!?)\]}’”"']+/.exec(next.text) ?? [];
    line.text += mark;
    next.text = next.text.slice(mark.length).trimStart();
  }
  return joined.filter(({ text }) => text !== '');
}
