import { parseUrl } from '@recollect/contract/text';
import { type Block, nameOf } from './find-blocks.js';
import { sizeOf } from './words.js';

/** Words of a headline, in a line that leads to its article. */
const HEADLINE = { least: 4, most: 25 };
/** Words that such a line may have before its link: "Read also:". */
const LABEL_WORDS = 4;
/** Words of a paragraph of the article around it. */
const PARAGRAPH_WORDS = 15;
const SENTENCE = /[.!?…。！？؟][\p{Pe}\p{Pf}"']*$/u;
const ELEMENTS = new Set(['P', 'DIV', 'STRONG', 'B', 'EM', 'SPAN']);

/** The share of links in a line from which it only leads elsewhere. */
const LINKED = 0.8;

/**
 * Tells which lines between the paragraphs of an article, and after the last one, only lead to another page of its
 * site, such as "Read also: Ferry fares to rise". A link within a sentence, and between paragraphs an item of a list
 * and a heading, are not such lines.
 *
 * @param isChosen the blocks that were chosen as its text
 */
export function findPointers(blocks: readonly Block[], isChosen: readonly boolean[], url: string): boolean[] {
  const chosen = blocks.flatMap((_, place) => (isChosen[place] === true ? place : []));
  const pointers = new Set<number>();
  for (const [at, place] of chosen.entries()) {
    const block = blocks[place];
    if (block === undefined || !isPointer(block, url)) continue;
    const isParagraph = (other: number | undefined) => {
      const { words = [], linkSize = 0, size = 0 } = blocks[other ?? -1] ?? {};
      return sizeOf(words) >= PARAGRAPH_WORDS && linkSize < size / 2;
    };
    if (isParagraph(chosen[at - 1]) && isParagraph(chosen[at + 1])) pointers.add(place);
  }
  for (const place of chosen.toReversed()) {
    const block = blocks[place];
    if (block === undefined || block.linkSize < LINKED * block.size || !linksOf(block).every(isOfSite)) break;
    pointers.add(place);
  }
  return blocks.map((_, place) => pointers.has(place));

  function isOfSite(address: string): boolean {
    return parseUrl(address, url)?.host === parseUrl(url)?.host;
  }
}

function isPointer(block: Block, url: string): boolean {
  const { element, text, words, links, size, linkSize } = block;
  const count = sizeOf(words);
  if (links !== 1 || count < HEADLINE.least || count > HEADLINE.most || !ELEMENTS.has(nameOf(element))) return false;
  if (element.closest('li, table, figure, blockquote, dl, pre') !== null || SENTENCE.test(text)) return false;
  const label = ((size - linkSize) / Math.max(1, size)) * count;
  const link = linksOf(block).at(0);
  if (link === undefined || label > LABEL_WORDS) return false;
  const [from, to] = [parseUrl(url), parseUrl(link, url)];
  return (
    from !== null && to !== null && to.host === from.host && to.pathname.length > 1 && to.pathname !== from.pathname
  );
}

/** The addresses of the links in a block and of the link around it. */
function linksOf({ element, nodes }: Block): string[] {
  const around = element.closest('a[href]');
  const within = nodes.flatMap((node) => ('querySelectorAll' in node ? linksIn(node as Element) : []));
  return [...(around === null ? [] : [around]), ...within].map((link) => link.getAttribute('href') ?? '');
}

function linksIn(element: Element): Element[] {
  return nameOf(element) === 'A' ? [element] : [...element.querySelectorAll('a[href]')];
}
