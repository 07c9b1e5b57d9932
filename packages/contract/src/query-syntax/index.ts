export {
  type Excluded,
  excludable,
  type OneOrMore,
  type Operator,
  type OperatorName,
  operatorNames,
  type QueryFilter,
  readBy,
  states,
  valuesOf,
  withOperator,
} from './operators.js';
export {
  formatOperator,
  formatParts,
  joinQuery,
  parseParts,
  type QueryPart,
  readQuery,
  splitQuery,
  unfinishedOperator,
} from './parse-parts.js';
export { type QueryWords, readWords } from './read-words.js';
export { readSite, siteOf } from './site.js';
