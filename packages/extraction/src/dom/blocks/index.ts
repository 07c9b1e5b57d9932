import { removeClutter } from '../to-markdown.js';
import { chooseBlocks } from './choose-blocks.js';
import { depthOf } from './depth-of.js';
import { describeBlocks } from './describe-blocks.js';
import { type Block, findBlocks, nameOf } from './find-blocks.js';
import { type FoundComments, findComments } from './find-comments.js';
import { findForms, isInForm } from './find-forms.js';
import { findPointers } from './find-pointers.js';
import { findRepeats } from './find-repeats.js';
import { isPart } from './is-part.js';
import { judgeBlocks } from './judge-blocks.js';
import { keepBlocks } from './keep-blocks.js';
import { removeRepeatedTexts, takeCaptions } from './picture-texts.js';
import { type PageComment, readComments } from './read-comments.js';
import { removeThumbnails } from './thumbnails.js';
import { KnownText, wordsOf } from './words.js';

/** Browsers nest no deeper. Other parsers do, and a recursion over their trees could run out of stack. */
const MAX_DEPTH = 512;
/** A smaller page has too few blocks to tell its text from the rest. */
const SMALLEST = 200;
/** The share of a block that has to be in another extractor's text or footnotes, for both to agree. */
const AGREEMENT = 0.5;

/** The blocks of a page, and the probability of each, from 0 to 1, that it is part of the page's text. */
export interface JudgedPage {
  /** A copy of the page's body. */
  readonly body: HTMLElement;
  readonly blocks: readonly Block[];
  readonly probabilities: readonly number[];
  /** Whether the page is probably one article. */
  readonly isArticle: boolean;
  /** The boxes in it that ask for an address. */
  readonly forms: ReadonlySet<Element>;
  /** Its address. */
  readonly url: string;
}

/**
 * Judges the blocks of a page without changing it. Null if the page is small, or nested deeper than any browser nests.
 */
export function judgePage(page: Document, url: string): JudgedPage | null {
  const body = page.body.cloneNode(true) as HTMLElement;
  const forms = findForms(body);
  removeClutter(body);
  if (depthOf(body) > MAX_DEPTH) return null;
  const blocks = findBlocks(body);
  if (blocks.reduce((sum, { size }) => sum + size, 0) < SMALLEST) return null;
  return { body, blocks, url, forms, ...judgeBlocks(describeBlocks(page, body, blocks, url)) };
}

/** The result of another extractor for a page. */
export interface OtherResult {
  title: string;
  text: string;
  footnotes: string;
  /** The addresses of its pictures. */
  pictures: readonly string[];
}

/** The text of a page, and the comments below it. */
export interface KeptText {
  text: HTMLElement;
  /** None if the page is not an article: on a forum, posts are the text. */
  comments: readonly PageComment[];
}

const NO_COMMENTS: FoundComments = { isComment: [], elements: [] };

/**
 * Returns the text of a judged page, without the title at its beginning, and its comments; null if there is no text.
 * The result of another extractor influences the choice.
 *
 * @param base the address that links are relative to
 */
export function keepText(
  { body, blocks, probabilities, isArticle, url, forms }: JudgedPage,
  other: OtherResult,
  base: string,
): KeptText | null {
  const pieces = blocks.map(({ words }) => words);
  const shares = new KnownText(other.text).sharesOf(pieces);
  const footnotes = new KnownText(other.footnotes).sharesOf(pieces);
  const choice = chooseBlocks(
    blocks.map((block, place) => ({
      size: block.size,
      probability: probabilities[place] ?? 0,
      isAgreed: (shares[place] ?? 0) >= AGREEMENT,
      isPart: isPart(block),
      isQuoted: block.element.closest('blockquote') !== null,
      isFootnote: (footnotes[place] ?? 0) >= AGREEMENT,
    })),
    isArticle,
  );
  const found = isArticle ? findComments(body, blocks, choice) : NO_COMMENTS;
  const others = isArticle
    ? [found.isComment, findPointers(blocks, choice, url), takeCaptions(blocks), isInForm(blocks, forms)]
    : [];
  const isLeft = choice.map((chosen, place) => chosen && others.every((isOther) => isOther[place] !== true));
  const isRepeated = findRepeats(blocks, isLeft);
  const isChosen = isLeft.map((left, place) => left && isRepeated[place] !== true);
  const first = blocks[isChosen.indexOf(true)];
  if (first === undefined) return null;
  const comments = readComments(found.elements, base);
  removeThumbnails(body);
  removeRepeatedTexts(body, blocks, other.title);
  keepBlocks(body, blocks, isChosen, other.pictures);
  if (repeatsTitle(first, other.title)) first.element.remove();
  return { text: body, comments };
}

/** Whether a block is a headline that the title has, alone or with the name of the site. */
function repeatsTitle(block: Block, title: string): boolean {
  if (nameOf(block.element) !== 'H1') return false;
  return ` ${wordsOf(title).join(' ')} `.includes(` ${block.words.join(' ')} `);
}
