import type { ChangeBody, QueryAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { isClose, shownResults } from '@recollect/contract/shown-results';
import { RecollectError } from '../error.js';
import type { MemoryFilter } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import { mergeFilters, parseQuery, readFilter, readTimeZone } from '../retrieval/parse-query.js';
import type { QueryUseCase } from '../retrieval/query.js';

import { OUT_OF_TIME } from '../retrieval/search-budget.js';
import { isFromAnyTime, ONLY_EXCLUDED_THEN } from '../retrieval/time/find-within.js';

/**
 * The ids of the memories that a bulk change selects: those given; all that meet the filters and operators; or, if the
 * query has words, the first results that a search shows and that are close to them, because every memory is somewhat
 * similar to some words. Throws VALIDATION_FAILED if nothing is selected, so that an empty request does not change
 * everything, if an operator has an invalid value, or if a search would have to correct the words or to ignore a part
 * of the query.
 */
export async function selectMemories(
  { memories, query }: Pick<CorePorts, 'memories'> & { query: QueryUseCase },
  userId: string,
  { ids, query: text, limit, sourceType, site, tag, since, until, by, starred, readState, place, timeZone }: ChangeBody,
  signal?: AbortSignal,
): Promise<string[]> {
  const fields = readFilter({ sourceType, site, tag, since, until, by, starred, readState, place, timeZone });
  const zone = readTimeZone(timeZone);
  const isFiltered = hasCondition(fields) || (text ?? '').trim() !== '';
  if (ids != null) {
    if (isFiltered) throw invalid('/ids', 'must be left out if there is a query or a filter');
    return [...new Set(ids)];
  }
  if (!isFiltered) throw invalid('/ids', 'must be given, or a query or a filter such as site');
  const parsed = parseQuery(text ?? '', zone);
  const filter = mergeFilters(parsed.filter, fields);
  // As words, it would select other memories than intended.
  const [mistake] = parsed.invalid;
  if (mistake !== undefined) throw invalid('/query', `has an invalid value after ${mistake.name}:`);
  if (parsed.text === '') return memories.matching(userId, filter);
  const most = limit ?? limits.query.results.default;
  const { answer } = await query(userId, text ?? '', { limit: most, filter, prefix: false, timeZone: zone, signal });
  const doubt = doubtOf(answer, parsed.warnings);
  if (doubt !== null) throw invalid('/query', `is not clear enough for a change. ${doubt}`);
  // A search shows no more than these, and among them weaker ones that have nothing to do with the query.
  const { strong, weaker } = shownResults(answer.results);
  return [...strong, ...weaker].filter(isClose).map(({ id }) => id);
}

/** Why the answer of a search deviates from the query. */
const DOUBTS: readonly string[] = [OUT_OF_TIME, ONLY_EXCLUDED_THEN];

/**
 * Why the words may mean other memories than those that a search finds for them: it says so beside them, and a change
 * cannot.
 */
function doubtOf({ corrected, suggestion, warnings = [] }: QueryAnswer, ofQuery: readonly string[]): string | null {
  const other = corrected ?? suggestion;
  if (other !== undefined)
    return `No memory has ${other.from}; a search would find ${other.to}. Correct it, or put it into quotation marks`;
  return (
    [...ofQuery, ...warnings.filter((warning) => DOUBTS.includes(warning) || isFromAnyTime(warning))][0]?.replace(
      /\.$/,
      '',
    ) ?? null
  );
}

function hasCondition(filter: MemoryFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function invalid(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors: [{ pointer, message }] });
}
