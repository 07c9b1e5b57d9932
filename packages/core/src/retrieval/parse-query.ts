import type { QueryFields } from '@recollect/contract';
import { isTimeZone } from '@recollect/contract/calendar';
import { readDate } from '@recollect/contract/instant';
import {
  excludable,
  type Operator,
  type OperatorName,
  operatorNames,
  readBy,
  readQuery,
  readSite,
  readWords,
} from '@recollect/contract/query-syntax';
import { stopWords } from '@recollect/contract/text';
import { clients } from '@recollect/contract/vocabulary';
import { RecollectError } from '../error.js';
import type { MemoryFilter } from '../memory.js';
import type { TextQuery } from '../ports/index.js';
import { toPhrase, toTerms } from '../text/normalise-text.js';

type FilterFields = Omit<QueryFields, 'query' | 'limit' | 'minScore' | 'asTyped' | 'prefix' | 'careful'>;

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
  place,
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
    place: place ?? undefined,
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
  const { words, filter: conditions } = readQuery(filter, { timeZone: readTimeZone(fields.timeZone) });
  if (words === '') return mergeFilters(conditions, readFilter(fields));
  const message = 'must have operators only, such as tag:recipe or site:example.org';
  throw new RecollectError('VALIDATION_FAILED', `filter ${message}.`, { errors: [{ pointer: '/filter', message }] });
}

/** The time zone of a request. Undefined if it names none. Throws VALIDATION_FAILED for one that does not exist. */
export function readTimeZone(text: string | null | undefined): string | undefined {
  const timeZoneOrNull = (name: string) => (isTimeZone(name) ? name : null);
  return read('timeZone', text, timeZoneOrNull, 'must be the name of a time zone, such as Europe/Berlin');
}

/** The operators of a query with the fields of its request, which win. */
export function mergeFilters(operators: MemoryFilter, fields: MemoryFilter): MemoryFilter {
  const statedFields = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...operators, ...Object.fromEntries(statedFields) };
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

export interface ParsedQuery {
  /** The query without its operators, quotation marks and excluded words. This is the text to embed. */
  text: string;
  terms: TextQuery;
  filter: MemoryFilter;
  /** Words of it that were corrected. They are among its terms, and no text has them. */
  mistyped?: readonly string[];
  /** The operators with invalid values, which are searched as words. */
  invalid: readonly Operator[];
  /** Sentences about those operators, and about other parts that mean something else than it seems. */
  warnings: readonly string[];
}

/**
 * Parses a query into text, terms and filter (QRY-8). Days begin in the given time zone, by default this machine's. An
 * operator that is unknown or has an invalid value is treated as text (QRY-6).
 *
 * @example
 * const { text, filter } = parseQuery('green tea site:example.org after:2026-01', 'UTC');
 * // 'green tea', { site: 'example.org', since: '2026-01-01T00:00:00.000Z' }
 */
export function parseQuery(query: string, timeZone?: string): ParsedQuery {
  const { operators, words, filter, invalid } = readQuery(query, { timeZone });
  const { text, phrases, excluded, isOnlyExcluded, isProse } = readWords(words);
  // The last word may be unfinished while nothing follows it.
  const isOpen = /[\p{L}\p{N}\p{M}_]$/u.test(words) && words.endsWith(text.slice(text.lastIndexOf(' ') + 1));
  const terms = {
    ...parseTerms(text, isOpen),
    phrases: phrases.slice(0, MAX_PHRASES).map(toPhrase),
    excluded: excluded.map(toPhrase),
  };
  const warnings = [
    ...warnOfOperators(invalid),
    ...(operators.length === 0 && words !== '' && terms.terms.length === 0 ? [NOTHING] : []),
    ...(isOnlyExcluded ? [ONLY_EXCLUDED] : []),
    ...(EXCLUDED_TIME.test(words) ? [NO_EXCLUDED_TIME] : []),
    ...(isProse ? [PROSE] : []),
    ...(phrases.length > MAX_PHRASES ? [TOO_MANY_PHRASES] : []),
  ];
  return { text, terms, filter, invalid, warnings };
}

/** The same query with other words to search for. Its operators, phrases and excluded words stay. */
export function withText(parsed: ParsedQuery, text: string, isOpen: boolean): ParsedQuery {
  return { ...parsed, text, terms: { ...parsed.terms, ...parseTerms(text, isOpen) } };
}

/** The same query once it is finished: its last word, if that exists, is not the beginning of a longer one. */
export function completeWord(parsed: ParsedQuery, isWord: (word: string) => boolean): ParsedQuery {
  const { terms } = parsed;
  if (terms.prefix === null || !isWord(terms.prefix)) return parsed;
  return { ...parsed, terms: { ...terms, prefix: null } };
}

/** Each phrase adds a condition to the store's query, whose length is limited. */
const MAX_PHRASES = 20;
const TOO_MANY_PHRASES = `Only the first ${MAX_PHRASES} phrases in quotation marks must occur. The others were searched as words.`;
const ONLY_EXCLUDED =
  'The query says only what must not occur, so its words were searched for instead. Add a word without a minus.';
const UNEXCLUDED = operatorNames.filter((name) => !excludable.includes(name));
const EXCLUDED_TIME = new RegExp(`(?<!\\S)-(?:${UNEXCLUDED.join('|')}):`, 'i');
const NO_EXCLUDED_TIME =
  'after: and before: take no minus, so they were taken as words that must not occur. The opposite of after:2025 is before:2025.';

const NOTHING = 'The query has no letters, digits or emoji to search for.';
const PROSE = 'The query is long, so its quotation marks and minus signs were taken as part of the text.';

/** The format of operator values. */
const EXAMPLES: Readonly<Record<OperatorName, string>> = {
  tag: 'tag:recipe',
  site: 'site:example.org',
  source: 'source:note',
  after: 'after:2026-01-31, after:31.1.2026 or after:yesterday',
  before: 'before:2026-01-31, before:31.1.2026 or before:yesterday',
  by: 'by:extension',
  is: 'is:starred, is:unread, is:inbox, is:later, is:link or is:generated',
};

function warnOfOperators(invalid: readonly Operator[]): string[] {
  const sentences = invalid.map(({ name, value, isExcluded }) => {
    if (isExcluded) return `The value of -${name}: cannot be read, so it was taken as words that must not occur.`;
    const example = `Write it like ${EXAMPLES[name]}.`;
    return value.trim() === ''
      ? `${name}: has no value, so it was searched as a word. ${example}`
      : `The value of ${name}: cannot be read, so it was searched as words. ${example}`;
  });
  return [...new Set(sentences)];
}

/**
 * The words of a text as the full-text index is asked for them, without stop words if others remain.
 *
 * @param isOpen whether the last word may be unfinished
 */
export function parseTerms(text: string, isOpen: boolean): Pick<TextQuery, 'terms' | 'prefix'> {
  const all = toTerms(text);
  const meaningful = all.filter((term) => term.length > 1 || !stopWords.has(term[0] ?? ''));
  const seen = new Map((meaningful.length > 0 ? meaningful : all).map((term) => [term.join(' '), term]));
  const last = all.at(-1);
  const isUnfinished = isOpen && last?.length === 1;
  return { terms: [...seen.values()], prefix: isUnfinished && (last[0]?.length ?? 0) > 1 ? (last[0] ?? null) : null };
}
