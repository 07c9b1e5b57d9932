export { formatOperator, formatParts } from './format-parts.js';
export {
  type Excluded,
  excludable,
  type OneOrMore,
  type Operator,
  type OperatorName,
  operatorNames,
  type QueryFilter,
  states,
  toFilter,
  valuesOf,
  withOperator,
} from './operators.js';
export { parseParts, type QueryPart } from './parse-parts.js';
export { readBy } from './read-by.js';
export { type QueryWords, readWords } from './read-words.js';
export { readSite, siteOf } from './site.js';
export { joinQuery, splitQuery } from './split-query.js';
export { unfinishedOperator } from './unfinished-operator.js';
