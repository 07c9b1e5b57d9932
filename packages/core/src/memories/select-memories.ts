import type { ChangeBody } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { parseParts } from '@recollect/contract/query-syntax';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import type { MemoryFilter } from '../memory.js';
import { parseQuery } from '../retrieval/parse-query.js';
import type { QueryVerb } from '../retrieval/query.js';
import { mergeFilters, readFilter } from '../retrieval/read-filter.js';

/**
 * The ids of the memories that a bulk change selects: those given; all that meet the filters and operators; or, if the query has
 * words, its first results, because every memory is somewhat similar to some words. Throws VALIDATION_FAILED if nothing is
 * selected, so that an empty request does not change everything, or if an operator has an invalid value.
 */
export async function selectMemories(
  { memories, query }: Pick<CorePorts, 'memories'> & { query: QueryVerb },
  userId: string,
  { ids, query: text, limit, sourceType, site, tag, since, until, by, starred, readState }: ChangeBody,
): Promise<string[]> {
  const fields = readFilter({ sourceType, site, tag, since, until, by, starred, readState });
  const isFiltered = hasCondition(fields) || (text ?? '').trim() !== '';
  if (ids != null) {
    if (isFiltered) throw invalid('/ids', 'must be left out if there is a query or a filter');
    return [...new Set(ids)];
  }
  if (!isFiltered) throw invalid('/ids', 'must be given, or a query or a filter such as site');
  const parsed = parseQuery(text ?? '');
  const filter = mergeFilters(parsed.filter, fields);
  // As words it would select other memories than the ones that were meant.
  const mistake = parseParts(text ?? '').find((part) => part.kind === 'operator' && !part.isValid);
  if (mistake?.kind === 'operator') throw invalid('/query', `has an invalid value after ${mistake.name}:`);
  if (parsed.text === '') return memories.matching(userId, filter);
  const { answer } = await query(userId, text ?? '', { limit: limit ?? limits.query.results.default, filter });
  return answer.results.map(({ id }) => id);
}

function hasCondition(filter: MemoryFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function invalid(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors: [{ pointer, message }] });
}
