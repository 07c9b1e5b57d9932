import type { Line } from './lines.js';

const BROKEN = /(\p{L}+)[-\u00ad\u2010]$/u;
const REST = /^(\p{Ll}[\p{L}\p{M}]*)/u;

/**
 * Joins the words that are broken at the ends of lines. A hyphen stays if the document writes the word with it elsewhere, and not without
 * it. The rest of the word moves to the first of the two lines.
 */
export function joinHyphens(lines: readonly Line[]): Line[] {
  const words = new Set(
    lines.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu) ?? []),
  );
  const joined = lines.map((line) => ({ ...line }));
  for (const [at, line] of joined.entries()) {
    const next = joined[at + 1];
    const [, beginning] = BROKEN.exec(line.text) ?? [];
    const [, rest] = REST.exec(next?.text ?? '') ?? [];
    if (next === undefined || beginning === undefined || rest === undefined) continue;
    const isWritten = (word: string) => words.has(word.toLowerCase());
    const keepsHyphen =
      !line.text.endsWith('\u00ad') && isWritten(`${beginning}-${rest}`) && !isWritten(beginning + rest);
    line.text = `${line.text.replace(/[-\u00ad\u2010]$/u, keepsHyphen ? '-' : '')}${rest}`;
    next.text = next.text.slice(rest.length).trimStart();
    // Punctuation belongs to the word.
    const [mark = ''] = /^[.,;:!?)\]}’”"']+/.exec(next.text) ?? [];
    line.text += mark;
    next.text = next.text.slice(mark.length).trimStart();
  }
  return joined.filter(({ text }) => text !== '');
}
