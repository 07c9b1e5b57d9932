import type { PageFetcher } from '@recollect/core';
import type { Configuration } from '../config.js';

/** Opens the fetcher of a setting: from the public internet only, from private networks also, or none. */
export function openPageFetcher(from: Configuration['fetch']): PageFetcher | null {
  if (from === 'off') return null;
  return async (links, options) => {
    // Loaded here: the library that fetches takes longer than most commands.
    const [{ fetchLinks }, { createPublicFetch }] = await Promise.all([
      import('../sources/fetch-links.js'),
      import('../sources/fetch-page.js'),
    ]);
    const fetch = from === 'private' ? globalThis.fetch : createPublicFetch();
    await fetchLinks(links, { ...options, fetch, advice: 'The setting RECOLLECT_FETCH decides that.' });
  };
}
