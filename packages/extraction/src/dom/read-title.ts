import { parseUrl } from '@recollect/contract/text';

/** Separator between the title of a page and the name of its site. */
const SEPARATOR = /( [|·•–—:»-]+ )/;

const SITE_NAMES = 'meta[property="og:site_name"], meta[name="application-name"], meta[name="site_name"]';
/** The main part of a page, and its surroundings. */
const CONTENT = 'main, article, [role="main"]';
const AROUND = 'header, nav, aside, footer, [role="banner"], [role="navigation"]';
/** Words that the name of a site may have beside the words of its address. */
const GENERAL =
  /^(?:the|a|an|of|and|for|official|docs?|documentation|manual|guide|reference|handbook|blog|wiki|site|website|home|homepage|news|online|com|org|net|io|v?[\d.]+)$/;

export interface Named {
  title: string;
  siteName: string;
}

/**
 * Reads from a page, before anything is removed from it, which part of its title is its own, and returns what corrects
 * another extractor that took one part for the other. Of "Retries | Queuey docs", a page with the headline "Retries"
 * has that as its title. The name of a site is told by the page's metadata, its address, its links to the pages above
 * it, or a headline outside its content.
 */
export function readTitle(page: Document, url: string): (found: Named & { author: string }) => Named {
  const whole = clean(page.title);
  const parts = partsOf(whole);
  const headings = headingsOf(page, url);
  const stated = new Set(metadataNames(page).map(plain));
  const linked = new Set(linksAbove(page, url).map(plain));
  const isNamed = (part: string) => stated.has(plain(part)) || isInAddress(part, url);
  const inContent = parts.find((part) => headings.content.has(plain(part)) && !isNamed(part));
  // Where the headline of the content is not in the title, the one outside may be the page's own.
  const isOutside = (part: string) => inContent !== undefined && headings.outside.has(plain(part));
  const isSite = (part: string) => isNamed(part) || linked.has(plain(part)) || isOutside(part);
  const headline = inContent ?? parts.find((part) => headings.first.has(plain(part)) && !isSite(part));
  const isStartPage = parseUrl(url)?.pathname === '/';
  const ownPart = (title: string) =>
    isStartPage ? title : withoutSite(title, (part) => isSite(part) && !isSame(part, headline ?? ''));
  /** Corrects an extractor's title, which is a part of the page's title or differs from it. */
  const correct = (found: string): string => {
    if (found === '' || isSame(found, whole)) return ownPart(whole);
    // Two pages of a manual must not both have its name.
    if (isSite(found) && whole !== '' && !isSame(parts[0] ?? '', found)) return ownPart(whole);
    const isHeading = headings.all.has(plain(found));
    if (headings.first.has(plain(whole)) && !isHeading) return whole;
    const [first = '', ...rest] = parts;
    const isLast = rest.length > 0 && isSame(partsOf(found).join('\n'), rest.join('\n'));
    return isLast && !isSite(first) && !isHeading ? ownPart(whole) : ownPart(found);
  };
  return ({ title: found, siteName, author }) => {
    const other = parts.find((part) => isSame(part, found));
    // Some sites have their own name as the first headline of each page.
    if (headline !== undefined && other !== undefined && headline !== other && !headings.all.has(plain(found)))
      return { title: headline, siteName: siteName === '' || isSame(siteName, headline) ? other : siteName };
    // Without the name of a site, an extractor may take the author's.
    const isAuthor = siteName === author && !stated.has(plain(siteName)) && !isNearAddress(siteName, url);
    return { title: correct(found) || whole, siteName: isAuthor ? '' : siteName };
  };
}

const partsOf = (title: string) =>
  title
    .split(SEPARATOR)
    .filter((_, at) => at % 2 === 0)
    .map((part) => part.trim());

/** The title without the parts at its end, or else at its beginning, that name the site. At least one part stays. */
function withoutSite(title: string, isSite: (part: string) => boolean): string {
  const split = clean(title).split(SEPARATOR);
  let [from, to] = [0, split.length - 1];
  while (to > 0 && isSite(split[to] ?? '')) to -= 2;
  // All of it may be the name of the site: then nothing tells which part is the page's own.
  if (to === 0 && isSite(split[0] ?? '')) return title;
  if (to === split.length - 1) while (from < to && isSite(split[from] ?? '')) from += 2;
  return split
    .slice(from, to + 1)
    .join('')
    .trim();
}

interface Headings {
  /** Of the first level, in the content. */
  content: ReadonlySet<string>;
  /** Of the first level. */
  first: ReadonlySet<string>;
  /** Of the first level, around a content that has its own. */
  outside: ReadonlySet<string>;
  all: ReadonlySet<string>;
}

function headingsOf(page: Document, url: string): Headings {
  const read = (names: string) => [...page.querySelectorAll(names)];
  const texts = (elements: readonly Element[]) => new Set(elements.map(({ textContent }) => plain(textContent ?? '')));
  const first = read('h1');
  const isContent = (heading: Element) => heading.closest(CONTENT) !== null && heading.closest(AROUND) === null;
  // Wherever it is, a headline that links to its own page is the page's.
  const address = directoryOf(url)?.address;
  const own = first.filter((heading) => {
    const href = heading.querySelector('a[href]')?.getAttribute('href') ?? '#';
    return address !== undefined && !href.startsWith('#') && directoryOf(resolve(href, url))?.address === address;
  });
  const content = [...first.filter(isContent), ...own];
  const outside = content.length === 0 ? [] : first.filter((heading) => heading.closest(CONTENT) === null);
  const named = texts(content);
  return {
    content: named,
    first: texts(first),
    outside: new Set([...texts(outside)].filter((text) => !named.has(text))),
    all: texts(read('h1, h2, h3')),
  };
}

function metadataNames(page: Document): string[] {
  return [...page.querySelectorAll(SITE_NAMES)].map((meta) => meta.getAttribute('content') ?? '');
}

/** The texts of links to the start pages of the directories that a page is in. */
function linksAbove(page: Document, url: string): string[] {
  const own = directoryOf(url);
  if (own === null) return [];
  return [...page.querySelectorAll('a[href]')]
    .filter((link) => {
      const to = directoryOf(resolve(link.getAttribute('href') ?? '', url));
      return to?.isStart && to.origin === own.origin && to.address !== own.address && own.path.startsWith(to.path);
    })
    .map(({ textContent }) => textContent ?? '');
}

interface Directory {
  origin: string;
  /** The address without query and fragment. */
  address: string;
  /** Up to the last slash. */
  path: string;
  /** Whether it is the start page of its directory. */
  isStart: boolean;
}

function directoryOf(url: string): Directory | null {
  const parsed = parseUrl(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  const { origin, pathname } = parsed;
  const path = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  const page = pathname.slice(path.length);
  const isStart = page === '' || /^index\.\w+$/.test(page);
  return { origin, address: isStart ? origin + path : origin + pathname, path, isStart };
}

function resolve(href: string, base: string): string {
  try {
    return new URL(href, base).href;
  } catch {
    return '';
  }
}

/**
 * Whether all words of a name that mean something are in the host of an address, such as "Python 3.12 documentation".
 */
function isInAddress(name: string, url: string): boolean {
  const host = (parseUrl(url)?.hostname ?? '').replace(/[.-]/g, '');
  const words = (plain(name).match(/[\p{L}\p{N}.]+/gu) ?? []).filter((word) => !GENERAL.test(word));
  return words.length > 0 && words.every((word) => word.length > 2 && host.includes(word.replaceAll('.', '')));
}

/** Whether the first word of a name is in the host of an address. */
function isNearAddress(name: string, url: string): boolean {
  const [word = ''] = name.toLowerCase().match(/[a-z0-9]{3,}/) ?? [];
  return word !== '' && parseUrl(url)?.hostname.includes(word) === true;
}

function isSame(one: string, other: string): boolean {
  return plain(one) !== '' && plain(one) === plain(other);
}

const clean = (text: string) => text.replace(/\s+/g, ' ').trim();
/** Headings of manuals end in a link to themselves. */
const plain = (text: string) =>
  clean(text)
    .replace(/ ?[¶#§]$/, '')
    .toLowerCase();
