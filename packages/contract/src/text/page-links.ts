import { isPageAddress } from './parse-url.js';

/** An address in a text, up to a character that ends it in Markdown. */
const ADDRESS = /https?:\/\/[^\s<>[\]"'`|\\]{1,2000}/gi;
/** Signs at the end that belong to the sentence. */
const SENTENCE_END = /(?<![.,;:!?*_~])[.,;:!?*_~]+$/;

/**
 * The addresses of web pages in a text, each once, as Markdown makes links of them.
 *
 * @example
 * addressesIn('See https://a.example/x, and (https://b.example).'); // ['https://a.example/x', 'https://b.example']
 */
export function addressesIn(text: string): string[] {
  if (!text.includes('://')) return [];
  return [...new Set(Array.from(text.matchAll(ADDRESS), ([found]) => withoutEnd(found)))].filter(isPageAddress);
}

/** A closing bracket belongs to the sentence unless the address has its opening one. */
function withoutEnd(address: string): string {
  const trimmed = address.replace(SENTENCE_END, '');
  if (!trimmed.endsWith(')')) return trimmed;
  const count = (sign: string) => trimmed.split(sign).length;
  return count(')') > count('(') ? withoutEnd(trimmed.slice(0, -1)) : trimmed;
}
