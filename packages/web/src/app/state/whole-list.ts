import { joinQuery, splitQuery } from '@recollect/contract/query-syntax';
import type { Condition } from './changes.js';
import { listedQuery } from './load-list.js';

/** The server rejects a change of memories without any condition. */
const ANY: Condition = { until: '9999-12-31T23:59:59Z' };

/** The conditions of the list, by which all of its memories can be changed, also those that are not loaded. */
export function wholeList(): Condition {
  const { operators } = splitQuery(listedQuery.peek() ?? '');
  return operators.length === 0 ? ANY : { query: joinQuery(operators, '') };
}
