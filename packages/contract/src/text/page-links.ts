import { isPageAddress } from './parse-url.js';

/** An address in a text, up to a character that ends it in Markdown. */
const ADDRESS = /https?:\/\/[^\s<>[\]"'`|\\]{1,2000}/gi;
/** Signs at the end of an address that belong to the sentence. */
const SENTENCE_SIGNS = '.,;:!?*_~';

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
  const count = (sign: string) => address.split(sign).length - 1;
  let spare = count(')') - count('(');
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (last === ')' && spare > 0) spare -= 1;
    else if (!SENTENCE_SIGNS.includes(last)) break;
  }
  return address.slice(0, end);
}
