import type { Topic } from './find-topics.js';

export interface Entry {
  id: string;
  title: string;
  url: string | null;
  sourceType: string;
}

/** The number of sites as a phrase such as ` from 2 sites`. Notes have no site. */
export function countSites(entries: readonly Entry[]): string {
  const sites = new Set(entries.filter(({ url }) => url !== null).map(siteOf)).size;
  return sites === 0 ? '' : ` from ${count(sites, 'site', 'sites')}`;
}

/** Headings for memories without a site. */
const NAMES: Readonly<Record<string, string>> = { note: 'Notes', file: 'Files' };

/** The heading for the site of an entry. */
function siteOf({ url, sourceType }: Entry): string {
  const host = url === null ? undefined : URL.parse(url)?.hostname;
  return host?.replace(/^www\./, '') ?? NAMES[sourceType] ?? sourceType;
}

/** Writes the digest as Markdown: the captures between two instants, by topic and by site. */
export function writeDigest(entries: readonly Entry[], topics: readonly Topic[], since: string, until: string): string {
  const bySite = [...Map.groupBy(entries, siteOf)].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const entryOf = new Map(entries.map((entry) => [entry.id, entry]));
  const ofTopic = topics.map(({ word, memories }): [string, Entry[]] => [
    word,
    memories.flatMap(({ id }) => entryOf.get(id) ?? []),
  ]);
  return [
    `Captured from ${minute(since)} to ${minute(until)} UTC: ${count(entries.length, 'memory', 'memories')}${countSites(entries)}.`,
    ...(ofTopic.length === 0 ? [] : ['## Topics', ...ofTopic.flatMap(section)]),
    '## Sites',
    ...bySite.flatMap(section),
  ].join('\n\n');
}

function section([heading, entries]: readonly [string, readonly Entry[]]): string[] {
  return [`### ${heading} (${entries.length})`, entries.map(line).join('\n')];
}

/** A link to the memory, as the web app opens it, and one to the page. */
function line({ id, title, url }: Entry): string {
  const text = title.replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&');
  return `- [${text}](/memory/${id})${url === null ? '' : ` ([page](<${url}>))`}`;
}

function minute(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

/** A number with its noun. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
