import { describeAlike, Kinds, Repetitions } from './alike.js';
import { bestContainer, type Contents, isSentence, sumContents } from './contents.js';
import { type Description, NOWHERE } from './description.js';
import { type Block, nameOf } from './find-blocks.js';
import { findWithReadability } from './find-with-readability.js';
import { NAMES, type Name, NameReader } from './names.js';
import { addNeighbours, headings } from './neighbours.js';
import { describeType } from './page-type.js';
import { publishedTexts } from './published-text.js';
import { describeWitness } from './witness.js';
import { KnownText, wordsOf } from './words.js';

/** Elements around a block that describe it, and the names of the features with their distance in levels. */
const SURROUNDINGS: ReadonlyMap<string, string> = new Map([
  ['ARTICLE', 'article'],
  ['MAIN', 'main'],
  ['SECTION', 'section'],
  ['NAV', 'nav'],
  ['HEADER', 'header'],
  ['FOOTER', 'footer'],
  ['ASIDE', 'aside'],
  ['UL', 'list'],
  ['OL', 'list'],
  ['FIGURE', 'figure'],
  ['BLOCKQUOTE', 'quote'],
  ['A', 'link'],
]);
/** How many of the elements around a block are described by their content. */
const GROUPS = 4;
const KINDS = Object.keys(NAMES) as Name[];
const PRICE = /[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|kr|USD|EUR)/;
const RIGHTS = /©|\(c\)|copyright|all rights reserved|powered by/i;

/** Describes each block of a page, by itself and in its surroundings. `body` may be a copy of the page's own. */
export function describeBlocks(page: Document, body: Element, blocks: readonly Block[], url: string): Description[] {
  const contents = sumContents(body, blocks);
  const whole = contents.get(body) as Contents;
  const title = new Set(wordsOf(page.title));
  const pieces = blocks.map(({ words }) => words);
  const published = new KnownText(publishedTexts(page).join('\n')).sharesOf(pieces);
  const found = new KnownText(findWithReadability(page, body)).sharesOf(pieces);
  const witness = describeWitness(blocks, found, contents);
  const same = Map.groupBy(blocks, ({ words }) => words.join(' '));
  const container = bestContainer(body, blocks);
  const main = contents.get(container) as Contents;
  const mainPath = new Set(pathOf(container, body));
  const names = new NameReader();
  const kinds = new Kinds();
  const alike = describeAlike(blocks, kinds);
  const repetitions = new Repetitions(contents, kinds);
  const ofPage = { ...describePage(body, blocks, whole, main), ...describeType(page, url) };
  const heads = headings(blocks);
  let before = 0;

  const described = blocks.map((block, place): Description => {
    const path = pathOf(block.element, body);
    const { size } = block;
    const own = {
      ...describeText(block),
      titleShare: block.words.filter((word) => title.has(word)).length / block.words.length,
      publishedShare: published[place] ?? 0,
      times: same.get(block.words.join(' '))?.length ?? 1,
    };
    const distances = describePath(path, names);
    const surroundings = {
      depth: path.length,
      placeShare: place / blocks.length,
      wordsBefore: before,
      wordsAfter: whole.size - before - size,
      beforeShare: before / whole.size,
      ...describeContainer(path, place, mainPath, main),
      ...describeGroups(path, contents, whole, place),
      ...alike.get(kinds.of(block.element)),
      ...repetitions.describe(path),
      ...(heads[place] as Description),
    };
    before += size;
    return { ...own, ...distances, ...surroundings, ...(witness[place] as Description), ...ofPage };
  });
  addNeighbours(blocks, described);
  return described;
}

function describeText(block: Block): Description {
  const { element, text, words, size, linkSize, links } = block;
  const name = nameOf(element);
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    size,
    linkShare: linkSize / size,
    links,
    marks: count(/[.!?…。！？]/gu),
    commas: count(/[,;、，]/gu) / size,
    endsSentence: /[.!?…。！？]["'”’»)]?$/u.test(text) ? 1 : 0,
    digits: count(/\p{N}/gu) / text.length,
    capitals: count(/(?<![\p{L}\p{N}])\p{Lu}/gu) / size,
    separators: count(/[|•·»›→]/gu),
    distinct: new Set(words).size / words.length,
    hasRights: RIGHTS.test(text) ? 1 : 0,
    isSentence: isSentence(block) ? 1 : 0,
    headingLevel: /^H[1-6]$/.test(name) ? Number(name[1]) : 7,
  };
}

/** How many levels above a block there are elements of a kind, and names of a kind. */
function describePath(path: readonly Element[], names: NameReader): Description {
  const description: Description = {};
  for (const feature of SURROUNDINGS.values()) description[`to ${feature}`] = NOWHERE;
  for (const kind of KINDS) description[`named ${kind}`] = NOWHERE;
  for (let level = path.length - 1; level >= 0; level--) {
    const element = path[level] as Element;
    const feature = SURROUNDINGS.get(nameOf(element));
    if (feature !== undefined) description[`to ${feature}`] = level;
    const found = names.read(element);
    for (let bit = 0; found >> bit !== 0; bit++)
      if ((found & (1 << bit)) !== 0) description[`named ${KINDS[bit]}`] = level;
  }
  return description;
}

/** Where a block stands to the element that has most of the running text. */
function describeContainer(
  path: readonly Element[],
  place: number,
  mainPath: ReadonlySet<Element>,
  main: Contents,
): Description {
  const level = path.indexOf(main.element);
  const shared = path.findIndex((element) => mainPath.has(element));
  return {
    inContainer: level >= 0 ? 1 : 0,
    toContainer: level >= 0 ? level : NOWHERE,
    outsideContainer: level >= 0 ? 0 : mainPath.size - (path.length - shared),
    containerPlace: (place - main.first) / (main.last - main.first + 1),
  };
}

/** The nearest four elements around a block of which each contains more blocks than the one within it. */
function describeGroups(
  path: readonly Element[],
  contents: ReadonlyMap<Element, Contents>,
  whole: Contents,
  place: number,
): Description {
  const description: Description = {};
  let blocks = 1;
  let group = 0;
  for (const element of path) {
    const part = contents.get(element) as Contents;
    if (part.blocks <= blocks) continue;
    blocks = part.blocks;
    group++;
    describeGroup(description, group, part, whole, place);
    if (group === GROUPS) break;
  }
  while (group < GROUPS) describeGroup(description, ++group, whole, whole, place);
  return description;
}

function describeGroup(description: Description, group: number, part: Contents, whole: Contents, place: number): void {
  description[`words of group ${group}`] = part.size;
  description[`link share of group ${group}`] = part.linkSize / part.size;
  description[`sentences of group ${group}`] = part.sentenceSize / part.size;
  description[`page share of group ${group}`] = part.size / whole.size;
  description[`place in group ${group}`] = (place - part.first) / (part.last - part.first + 1);
}

function describePage(body: Element, blocks: readonly Block[], whole: Contents, main: Contents): Description {
  return {
    pageWords: whole.size,
    pageBlocks: whole.blocks,
    pageLinks: whole.linkSize / whole.size,
    pageSentences: whole.sentenceSize / whole.size,
    mainWords: main.size,
    mainShare: main.size / whole.size,
    mainLinks: main.linkSize / Math.max(1, main.size),
    mainSentences: main.sentenceSize / Math.max(1, whole.sentenceSize),
    pageArticles: body.querySelectorAll('article').length,
    pageImages: body.querySelectorAll('img').length / blocks.length,
    pagePrices: blocks.filter(({ text }) => PRICE.test(text)).length / blocks.length,
    pageHeadings: blocks.filter(({ element }) => /^H[1-6]$/.test(nameOf(element))).length / blocks.length,
    pageLongest: blocks.reduce((most, { size }) => Math.max(most, size), 0),
  };
}

function pathOf(element: Element, body: Element): Element[] {
  const path: Element[] = [];
  for (let step: Element | null = element; step !== null; step = step.parentElement) {
    path.push(step);
    if (step === body) break;
  }
  return path;
}
