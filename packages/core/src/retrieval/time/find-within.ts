import type { TimeRange } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { toPhrase } from '../../text/normalise-text.js';
import type { FoundResults } from '../find-results.js';
import type { ParsedQuery } from '../parse-query.js';
import { findTime, type NamedTime } from './time-in-words.js';

/**
 * The time that a query names in words. Null if a filter names one, and for words in a phrase, which are meant to the
 * letter.
 */
export function namedTime(
  { text, terms, filter }: ParsedQuery,
  now: Date,
  timeZone: string | undefined,
): NamedTime | null {
  if (filter.since != null || filter.until != null) return null;
  const time = findTime(text, now, timeZone);
  if (time === null) return null;
  const words = toPhrase(time.words).join(' ');
  return terms.phrases?.some((phrase) => phrase.join(' ').includes(words)) ? null : time;
}

/** Searches for a query, or lists the newest memories that its filter selects. */
export interface Finders {
  find(asked: ParsedQuery): Promise<FoundResults>;
  list(asked: ParsedQuery): Promise<FoundResults>;
}

/** The results. `isList`: the newest memories of the time, since the query has no other words. */
interface Found {
  found: FoundResults;
  interpreted?: TimeRange;
  warning?: string;
  isList?: boolean;
}

/**
 * Finds memories that were saved in the time that a query names (QRY-15). If nothing in it is a clear answer, and
 * something outside it is, the words were not meant as a time, such as the year in the name of a standard,
 * or the user is wrong about it.
 */
export async function findWithin(time: NamedTime | null, asked: ParsedQuery, { find, list }: Finders): Promise<Found> {
  if (time === null) return { found: await find(asked) };
  const { after, before } = time;
  // The embedding includes the words for the time.
  // In full text they became a filter, so a text without them is not worse.
  const terms = withoutWords(asked.terms, toPhrase(time.words));
  const inTime = { ...asked, terms, filter: { ...asked.filter, since: after, until: before } };
  const isList = terms.terms.length === 0;
  const within = await (isList ? list : find)(inTime);
  const interpreted = { after, before };
  // No search excludes words if it has none to find.
  const warning = isList && (terms.excluded ?? []).length > 0 ? { warning: ONLY_EXCLUDED_THEN } : {};
  if (scoreOf(within) >= CLEAR_SCORE) return { found: within, interpreted, isList, ...warning };
  const anytime = await find(asked);
  const least = scoreOf(within) < closeScore ? likelyScore : CLEAR_SCORE;
  if (within.placed.length > 0 && scoreOf(anytime) < least) return { found: within, interpreted };
  return { found: anytime, warning: nothingThen(time.words) };
}

const { likelyScore, closeScore } = limits.query;
/**
 * The score of a clear answer, for which the named time is left: "what I saved last week" has a few likely ones
 * anywhere.
 */
export const CLEAR_SCORE = 0.6;
export const ONLY_EXCLUDED_THEN =
  'The query names a time and only what must not occur, so everything of that time is listed. Add a word without a minus.';

const FROM_ANY_TIME = 'matched, so these are from any time.';
/** Leads over to a time: "in 2021", "from last week". */
const PREPOSITION = /^(?:in|on|from|since|during|im|am|vom|von|en|du)\s+/i;

/** The warning for results from outside the named time. */
const nothingThen = (words: string) => `Nothing from ${words.replace(PREPOSITION, '')} ${FROM_ANY_TIME}`;

/** Whether a warning says that the results are from outside the time that the query names. */
export const isFromAnyTime = (warning: string) => warning.endsWith(FROM_ANY_TIME);

function scoreOf({ placed: [best] }: FoundResults): number {
  return best?.result.score ?? 0;
}

function withoutWords(terms: ParsedQuery['terms'], words: readonly string[]): ParsedQuery['terms'] {
  return {
    ...terms,
    terms: terms.terms.filter((term) => !term.every((word) => words.includes(word))),
    prefix: terms.prefix !== null && words.includes(terms.prefix) ? null : terms.prefix,
  };
}
