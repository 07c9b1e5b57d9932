import type { Reading } from '../reading.js';

const PREFIX = 'scope:';

/** Reads a page with the text that the user chose last on its site: its article, or all of its text. */
export async function inChosenScope(reading: Reading): Promise<Reading> {
  if (reading.wholeText === null) return reading;
  const name = PREFIX + siteOf(reading);
  const { [name]: scope } = await chrome.storage.local.get<Record<string, Reading['scope'] | undefined>>(name);
  return scope === 'page' ? { ...reading, scope } : reading;
}

/** Remembers the choice for the site of a page. The article is the default, so it is not stored. */
export async function rememberScope(reading: Reading, scope: Reading['scope']): Promise<void> {
  const name = PREFIX + siteOf(reading);
  await (scope === 'page' ? chrome.storage.local.set({ [name]: scope }) : chrome.storage.local.remove(name));
}

function siteOf({ url }: Reading): string {
  return new URL(url).host;
}
