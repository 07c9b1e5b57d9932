import { wordsOf } from './words.js';

/** The address of a larger picture, to which a picture of an article may link. */
const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

/**
 * Removes the thumbnails of cards: pictures in a link that repeats the text of another link to the same address, except
 * for a few words. As Markdown, a list of cards would say everything twice.
 */
export function removeThumbnails(body: Element): void {
  const said = new Map<string, Set<string>>();
  for (const link of body.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href') ?? '';
    // Links within links are a fault of the page: the outer one would have the text of all others.
    if (address.startsWith('#') || PICTURE.test(address) || link.querySelector('a') !== null) continue;
    const words = said.get(address) ?? new Set();
    said.set(address, words);
    for (const word of wordsOf(link.textContent ?? '')) words.add(word);
  }
  for (const picture of body.querySelectorAll('a[href] img')) {
    const words = said.get(picture.closest('a[href]')?.getAttribute('href') ?? '');
    const alternative = new Set(wordsOf(picture.getAttribute('alt') ?? ''));
    if (words === undefined || words.size === 0 || alternative.size === 0) continue;
    const shared = [...alternative].filter((word) => words.has(word)).length;
    if (shared === Math.min(words.size, alternative.size)) picture.remove();
  }
}
