import { excludable, type Operator, type OperatorName, operatorNames } from './operators.js';
import { QUOTED, unquote } from './quotes.js';

const UNFINISHED = new RegExp(
  `(?<!\\S)(?:(-)(?=(?:${excludable.join('|')}):))?(${operatorNames.join('|')}):(?:"(${QUOTED})\\\\?|([^\\s"]*))$`,
  'is',
);

/**
 * The operator at the end of a query whose value may be incomplete, with its position.
 * Null if the query does not end in one.
 *
 * @example
 * unfinishedOperator('green tag:"to re'); // { name: 'tag', value: 'to re', start: 6 }
 */
export function unfinishedOperator(query: string): (Operator & { start: number }) | null {
  const match = UNFINISHED.exec(query);
  if (match === null) return null;
  const [, minus, name = '', quoted, bare = ''] = match;
  const value = quoted === undefined ? bare : unquote(quoted);
  const operator = { name: name.toLowerCase() as OperatorName, value, start: match.index };
  return minus === undefined ? operator : { ...operator, isExcluded: true };
}
