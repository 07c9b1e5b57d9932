import { sliceText, withoutEmphasis, withoutHtml } from '@recollect/contract/text';

const MAXIMUM = 80;

/**
 * Derives a missing title: the first words of the text, else the site.
 *
 * @example
 * deriveTitle('# Green **tea**\nSteep it below boiling.', null); // 'Green tea'
 */
export function deriveTitle(text: string, site: string | null): string {
  const line = withoutHtml(text.slice(0, 2_000))
    .split('\n')
    .map((part) =>
      withoutEmphasis(part.replace(/^[#>*\-\s]+/, ''))
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find((part) => part !== '');
  if (line === undefined) return site ?? 'Untitled';
  if (line.length <= MAXIMUM) return line;
  const cut = sliceText(line, 0, MAXIMUM);
  const space = cut.lastIndexOf(' ');
  return `${space > MAXIMUM / 2 ? cut.slice(0, space) : cut}…`;
}
