import type { QueryAnswer } from '@recollect/contract';
import type { QueryOptions, QueryVerb } from '../retrieval/query.js';
import { readFilter, readTimeZone } from '../retrieval/read-filter.js';
import type { SearchTestVerb } from '../search-test/search-test.js';
import type { OperationHandlers, Reply } from './operation-call.js';

export function queryOperations({
  query,
  searchTest,
}: {
  query: QueryVerb;
  searchTest: SearchTestVerb;
}): OperationHandlers<'query' | 'queryByGet' | 'testSearch'> {
  const answer = async (reply: Reply, userId: string, text: string, options: QueryOptions): Promise<QueryAnswer> => {
    const outcome = await query(userId, text, options);
    reply.header('recollect-retrieval', outcome.retrieval);
    return outcome.answer;
  };
  return {
    query({ userId, body, reply, signal }) {
      const { query: text, limit, minScore, asTyped, prefix, careful, timeZone, ...fields } = body ?? {};
      const options = {
        limit: limit ?? undefined,
        minScore: minScore ?? undefined,
        asTyped: asTyped ?? undefined,
        prefix: prefix ?? undefined,
        careful: careful ?? undefined,
        timeZone: readTimeZone(timeZone),
      };
      return answer(reply, userId, text ?? '', { filter: readFilter({ ...fields, timeZone }), signal, ...options });
    },
    testSearch: ({ userId, signal }) => searchTest(userId, { signal }),
    queryByGet({ userId, query: { q, limit, minScore, asTyped, prefix, careful, ...fields }, reply, signal }) {
      const options = { limit, minScore, asTyped, prefix, careful, timeZone: readTimeZone(fields.timeZone) };
      return answer(reply, userId, q ?? '', { filter: readFilter(fields), signal, ...options });
    },
  };
}
