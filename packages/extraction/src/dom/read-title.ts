import { parseUrl } from '@recollect/contract/text';

/** What stands between the title of a page and the name of its site. */
const SEPARATOR = / [|·•–—:»-]+ /;

const SITE_NAMES = 'meta[property="og:site_name"], meta[name="application-name"], meta[name="site_name"]';

export interface Named {
  title: string;
  siteName: string;
}

/**
 * Reads from a page, before anything is removed from it, which part of its title is the headline, and returns what corrects another
 * extractor that took one part for the other: of "Retries | Queuey docs", a page with the headline "Retries" has that as its title.
 */
export function readTitle(page: Document, url: string): (found: Named & { author: string }) => Named {
  const parts = page.title
    .replace(/\s+/g, ' ')
    .split(SEPARATOR)
    .map((part) => part.trim());
  const headings = (names: string) => [...page.querySelectorAll(names)].map(({ textContent }) => textContent ?? '');
  const [main, all] = [headings('h1'), headings('h1, h2, h3')];
  const isSite = (name: string) => namesSite(page, url, name);
  return ({ title: found, siteName, author }) => {
    const title = parts.find((part) => main.some((headline) => isSame(headline, part)));
    const other = parts.find((part) => isSame(part, found));
    // Some sites have their own name as the first headline of each page.
    const isMistaken =
      title !== undefined &&
      other !== undefined &&
      title !== other &&
      !isSite(title) &&
      !all.some((one) => isSame(one, found));
    if (isMistaken) return { title, siteName: siteName === '' || isSame(siteName, title) ? other : siteName };
    // Without the name of a site, an extractor may take that of the author.
    return { title: found || page.title, siteName: siteName === author && !isSite(siteName) ? '' : siteName };
  };
}

/** Whether a page says that it is of a site with this name, or its address does. */
function namesSite(page: Document, url: string, name: string): boolean {
  if ([...page.querySelectorAll(SITE_NAMES)].some((meta) => isSame(meta.getAttribute('content') ?? '', name)))
    return true;
  const [word = ''] = name.toLowerCase().match(/[a-z0-9]{3,}/) ?? [];
  return word !== '' && parseUrl(url)?.hostname.includes(word) === true;
}

function isSame(one: string, other: string): boolean {
  return plain(one) !== '' && plain(one) === plain(other);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
