import { parseUrl } from '@recollect/contract/text';
import type { Description } from './description.js';

/** Types in structured data that tell what a page is. */
const TYPES: ReadonlyMap<string, RegExp> = new Map([
  ['typeArticle', /"@type"\s*:\s*\[?\s*"(?:\w*Article|BlogPosting|Report)"/],
  ['typeProduct', /"@type"\s*:\s*\[?\s*"(?:Product|ProductGroup)"/],
  ['typeList', /"@type"\s*:\s*\[?\s*"(?:ItemList|CollectionPage|SearchResultsPage)"/],
  ['typeForum', /"@type"\s*:\s*\[?\s*"(?:DiscussionForumPosting|QAPage)"/],
]);
const PUBLISHED = 'meta[property="article:published_time"], [itemprop="datePublished"]';

/** Describes a page by what its metadata says that it is, and by its address. */
export function describeType(page: Document, url: string): Description {
  const scripts = page.querySelectorAll('script[type="application/ld+json"]');
  const data = Array.from(scripts, ({ textContent }) => textContent ?? '').join('\n');
  const type = page.querySelector('meta[property="og:type"]')?.getAttribute('content')?.toLowerCase() ?? '';
  const said = Object.fromEntries([...TYPES].map(([name, pattern]) => [name, pattern.test(data) ? 1 : 0]));
  return {
    ...said,
    typeArticle: type === 'article' ? 1 : (said.typeArticle ?? 0),
    typeProduct: type.includes('product') ? 1 : (said.typeProduct ?? 0),
    typeWebsite: type === 'website' ? 1 : 0,
    hasPublished: page.querySelector(PUBLISHED) === null ? 0 : 1,
    ...describeAddress(url),
  };
}

/** Addresses of articles often end in their title, and say when they were published. */
function describeAddress(url: string): Description {
  const { pathname = '', search = '' } = parseUrl(url) ?? {};
  const names = pathname.split('/').filter((name) => name !== '');
  const last = names.at(-1) ?? '';
  return {
    urlDepth: names.length,
    urlHyphens: Math.max(0, ...names.map((name) => name.match(/[-_]/g)?.length ?? 0)),
    urlYear: /\/(?:19|20)\d\d(?:[/-]|$)/.test(pathname) ? 1 : 0,
    urlDigits: last.match(/\d/g)?.length ?? 0,
    urlFile: /\.\w{2,5}$/.test(last) ? 1 : 0,
    urlQuery: search === '' ? 0 : 1,
  };
}
