import { foldWord } from './word-forms.js';

const HEADLINE = /^\s*#{1,6}[ \t]+([^\n]*)(?:\n|$)/;
const lettersOf = (text: string) => foldWord(text).replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Markdown without a first headline that its title begins with. Lists show the beginning of a text under the title.
 *
 * @example
 * withoutHeadline('# Tea\n\nSteep it.', 'Tea — Kitchen notes'); // '\nSteep it.'
 */
export function withoutHeadline(markdown: string, title: string): string {
  const [line, headline = ''] = HEADLINE.exec(markdown) ?? [];
  if (line === undefined) return markdown;
  const letters = lettersOf(headline);
  const rest = markdown.slice(line.length);
  return letters !== '' && lettersOf(title).startsWith(letters) && rest.trim() !== '' ? rest : markdown;
}
