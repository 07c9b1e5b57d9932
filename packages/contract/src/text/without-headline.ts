import { plainText } from './plain-text.js';
import { foldWord } from './word-forms.js';

const HEADLINE = /^\s*#{1,6}[ \t]+([^\n]*)(?:\n|$)/;
/** Separator between a headline and the name of the site in the title of a page. */
const SEPARATOR = /^\s+[—–|·•»/-]\s/;

/**
 * Whether a headline says what the title does, perhaps without the name of the site, which many titles of pages end
 * with.
 *
 * @example
 * repeatsTitle('Green  tea ¶', 'Green tea — Kitchen notes'); // true
 */
export function repeatsTitle(headline: string, title: string): boolean {
  const words = normalise(headline.replace(/(?<![¶#\s])[¶#\s]+$/, ''));
  const whole = normalise(title);
  if (words === '' || !whole.startsWith(words)) return false;
  const rest = whole.slice(words.length);
  return rest === '' || SEPARATOR.test(rest);
}

const normalise = (text: string) => foldWord(text).replace(/\s+/g, ' ').trim();

/**
 * Markdown without a first headline that repeats its title.
 *
 * @example
 * withoutHeadline('# 1\\. Tea\n\nSteep it.', '1. Tea — Kitchen notes'); // '\nSteep it.'
 */
export function withoutHeadline(markdown: string, title: string): string {
  const [line, headline = ''] = HEADLINE.exec(markdown) ?? [];
  if (line === undefined) return markdown;
  // Titles are plain, but some of them quote Markdown.
  if (![headline, plainText(line)].some((words) => repeatsTitle(words, title))) return markdown;
  const rest = markdown.slice(line.length);
  return rest.trim() === '' ? markdown : rest;
}

/**
 * The beginning of a Markdown text as lists show it under its title: plain, on one line, without a headline that
 * repeats the title.
 *
 * @example
 * beginningOf('# Tea\n\nSteep **green** tea.', 'Tea'); // 'Steep green tea.'
 */
export function beginningOf(markdown: string, title: string): string {
  return plainText(withoutHeadline(markdown, title)).replace(/\s+/g, ' ').trim();
}
