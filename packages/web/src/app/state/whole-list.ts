import type { FilterFields } from '../search/filter-fields.js';
import { splitQuery, toFilter } from '../search/operators.js';
import { listedQuery } from './load-list.js';

/** The server rejects a change of memories without any condition. */
const ANY: FilterFields = { until: '9999-12-31T23:59:59Z' };

/** The conditions of the list, by which all of its memories can be changed, also those that are not loaded. */
export function wholeList(): FilterFields {
  const { operators } = splitQuery(listedQuery.peek() ?? '');
  return operators.length === 0 ? ANY : toFilter(operators);
}
