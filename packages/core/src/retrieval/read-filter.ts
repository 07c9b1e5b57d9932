import type { QueryFields } from '@recollect/contract';
import { isTimeZone } from '@recollect/contract/calendar';
import { readDate } from '@recollect/contract/instant';
import { readBy, readSite, splitQuery, toFilter } from '@recollect/contract/query-syntax';
import { clients } from '@recollect/contract/vocabulary';
import { RecollectError } from '../error.js';
import type { MemoryFilter } from '../memory.js';

export type FilterFields = Omit<QueryFields, 'query' | 'limit' | 'minScore' | 'asTyped' | 'prefix' | 'careful'>;

/**
 * Parses filter fields (QRY-8). Ignores missing, null and blank fields. Throws VALIDATION_FAILED for a site that is not
 * a host, for a date or a time zone that does not exist and for an unknown kind of client.
 *
 * @example
 * readFilter({ site: 'https://www.example.org/a', since: '2026-02', tag: '', timeZone: 'UTC' });
 * // { site: 'example.org', since: '2026-02-01T00:00:00.000Z' }
 */
export function readFilter({
  sourceType,
  site,
  tag,
  since,
  until,
  by,
  starred,
  readState,
  timeZone,
}: FilterFields): MemoryFilter {
  const typed = { timeZone: readTimeZone(timeZone) };
  const readDay = (text: string) => readDate(text, typed);
  return {
    sourceType: sourceType ?? undefined,
    site: read('site', site, readSite, 'must be a host, such as example.org'),
    tag: tag?.trim() || undefined,
    since: read('since', since, readDay, DATE),
    until: read('until', until, readDay, DATE),
    starred: starred ?? undefined,
    readState: readState ?? undefined,
    by: read('by', by, readBy, `must be one of ${clients.join(', ')}, perhaps with a colon and a name`),
  };
}

/**
 * Parses filter fields with operators beside them; a field wins over its operators. Throws as {@link readFilter} does,
 * and if there are words, which select nothing here.
 */
export function readListFilter({
  filter = '',
  ...fields
}: FilterFields & { filter?: string | undefined }): MemoryFilter {
  const { operators, words } = splitQuery(filter);
  if (words === '')
    return mergeFilters(toFilter(operators, { timeZone: readTimeZone(fields.timeZone) }), readFilter(fields));
  const message = 'must have operators only, such as tag:recipe or site:example.org';
  throw new RecollectError('VALIDATION_FAILED', `filter ${message}.`, { errors: [{ pointer: '/filter', message }] });
}

/** The time zone of a request. Undefined if it names none. Throws VALIDATION_FAILED for one that does not exist. */
export function readTimeZone(text: string | null | undefined): string | undefined {
  const known = (name: string) => (isTimeZone(name) ? name : null);
  return read('timeZone', text, known, 'must be the name of a time zone, such as Europe/Berlin');
}

/** The operators of a query with the fields of its request, which win. */
export function mergeFilters(operators: MemoryFilter, fields: MemoryFilter): MemoryFilter {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...operators, ...Object.fromEntries(given) };
}

const DATE =
  'must be a date that exists and can be read in one way, such as 2026-01-31, 31.1.2026, yesterday or "2 weeks ago", or a date and time with a zone, such as 2026-01-31T09:30:00Z';

function read(
  name: string,
  text: string | null | undefined,
  interpret: (text: string) => string | null,
  message: string,
): string | undefined {
  if (!text?.trim()) return undefined;
  const value = interpret(text.trim());
  if (value !== null) return value;
  throw new RecollectError('VALIDATION_FAILED', `${name} ${message}.`, { errors: [{ pointer: `/${name}`, message }] });
}
