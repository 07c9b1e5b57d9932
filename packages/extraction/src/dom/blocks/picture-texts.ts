import type { Block } from './find-blocks.js';
import { wordsOf } from './words.js';

const CAPTION = '[class*="caption" i]';
/** Parts of a figure that are text. */
const TEXT = 'table, pre, blockquote, ul, ol';
/** Words that a caption has at most. */
const CAPTION_WORDS = 120;
/** Elements between a caption and what surrounds it and its picture. */
const LEVELS = 3;
/** The share of an alternative text in the title or a caption from which it says nothing else. */
const REPEATED = 0.8;

/**
 * Tells which blocks are captions, and gives each caption to its picture as its title: it describes the picture, and
 * does not continue the text around it.
 */
export function takeCaptions(blocks: readonly Block[]): boolean[] {
  const captions = new Map<Element, string>();
  const isCaption = blocks.map((block) => {
    const { element, text, words } = block;
    if (element.closest(TEXT) !== null || words.length > CAPTION_WORDS) return false;
    const figure = element.closest('figure');
    if (figure === null && !isNamedCaption(block)) return false;
    const picture = figure === null ? pictureBeside(element) : figure.querySelector('img');
    if (picture !== null) captions.set(picture, [captions.get(picture) ?? '', text].join(' ').trim());
    return figure !== null || picture !== null;
  });
  for (const [picture, caption] of captions) {
    picture.setAttribute('title', caption);
    if (picture.closest('figure') !== null) continue;
    const figure = picture.ownerDocument.createElement('figure');
    picture.replaceWith(figure);
    figure.append(picture);
  }
  return isCaption;
}

/** Whether a block, or each of its parts, has the name of a caption. */
function isNamedCaption({ element, nodes }: Block): boolean {
  if (element.closest(CAPTION) !== null) return true;
  const parts = nodes.filter((node) => wordsOf(node.textContent ?? '').length > 0);
  return parts.every((node) => 'matches' in node && (node as Element).matches(CAPTION));
}

function pictureBeside(caption: Element): Element | null {
  let part: Element | null = caption;
  for (let level = 0; level <= LEVELS && part !== null; level++) {
    const picture = part.querySelector('img');
    if (picture !== null) return wordsOf(part.textContent ?? '').length > CAPTION_WORDS ? null : picture;
    part = part.parentElement;
  }
  return null;
}

/**
 * Removes the alternative texts of pictures that only repeat the page's title, the picture's caption, a block of the
 * page, or the text of a picture before it, as editors fill them in for all pictures of a page.
 */
export function removeRepeatedTexts(body: Element, blocks: readonly Block[], title: string): void {
  const ofTitle = new Set(wordsOf(title));
  const said = new Set(blocks.map(({ words }) => words.join(' ')));
  for (const picture of body.querySelectorAll('img[alt]')) {
    const words = wordsOf(picture.getAttribute('alt') ?? '');
    if (words.length === 0) continue;
    const caption = new Set(wordsOf(picture.getAttribute('title') ?? ''));
    const text = words.join(' ');
    const isRepeated = said.has(text) || isWithin(words, ofTitle) || isWithin(words, caption);
    if (isRepeated) picture.setAttribute('alt', '');
    said.add(text);
  }
}

function isWithin(words: readonly string[], others: ReadonlySet<string>): boolean {
  return words.filter((word) => others.has(word)).length >= REPEATED * words.length;
}
