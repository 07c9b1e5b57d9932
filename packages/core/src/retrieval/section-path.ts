import { plainText } from '@recollect/contract/text';

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
