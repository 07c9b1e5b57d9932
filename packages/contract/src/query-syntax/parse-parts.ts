import type { Typed } from '../instant.js';
import {
  excludable,
  joinFilters,
  type Operator,
  type OperatorName,
  operatorNames,
  type QueryFilter,
  type ReadOperator,
  readOperator,
} from './operators.js';

/** Matches the text between quotation marks, with a backslash before each quotation mark and each backslash. */
const QUOTED = '[^"\\\\]*(?:\\\\.[^"\\\\]*)*';

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

interface Part {
  /** The part as typed. */
  text: string;
  /** The range of the part in the query, in UTF-16 code units. */
  start: number;
  end: number;
}

interface WordPart extends Part {
  kind: 'word';
}

/** A search treats an operator with an invalid value as text (QRY-6). */
interface OperatorPart extends Part, ReadOperator {
  kind: 'operator';
}

export type QueryPart = WordPart | OperatorPart;

/** A phrase: its marks touch its words and nothing else. An operator in it is a part of the phrase. */
export const PHRASE = '(?<!\\S)-?"(?!\\s)[^"]*(?<!\\s)"(?!\\S)';

/** A quotation mark that is never closed is part of a value or of a word. */
const PART = new RegExp(
  `${PHRASE}|(?:(-)(?=(?:${excludable.join('|')}):))?(${operatorNames.join('|')}):(?:"(${QUOTED})"|(\\S*))|\\S+`,
  'gis',
);

/**
 * Parses a query into its words, phrases and operators, in order. Any text is a query. White space and closing
 * quotation marks end a part.
 *
 * @example
 * parseParts('tea tag:"to read"');
 * // [{ kind: 'word', text: 'tea', start: 0, end: 3 },
 * //  { kind: 'operator', name: 'tag', value: 'to read', filter: { tag: 'to read' },
 * //    text: 'tag:"to read"', start: 4, end: 17 }]
 */
export function parseParts(query: string, typed?: Typed): QueryPart[] {
  return Array.from(
    query.matchAll(PART),
    ({ 0: text, 1: minus, 2: name, 3: quoted, 4: bare = '', index: start }): QueryPart => {
      const part = { text, start, end: start + text.length };
      if (name === undefined) return { kind: 'word', ...part };
      const value = quoted === undefined ? bare : unquote(quoted);
      const operator: Operator = { name: name.toLowerCase() as OperatorName, value };
      if (minus !== undefined) operator.isExcluded = true;
      const isOpenQuote = bare.startsWith('"');
      return { kind: 'operator', ...operator, filter: isOpenQuote ? null : readOperator(operator, typed), ...part };
    },
  );
}

/**
 * Formats an operator the way a user types it.
 *
 * @example
 * formatOperator({ name: 'tag', value: 'to read' }); // 'tag:"to read"'
 */
export function formatOperator(operator: Operator): string {
  return withValue(operator, /^[^\s"]\S*$/.test(operator.value) ? operator.value : quote(operator.value));
}

function withValue({ name, isExcluded }: Operator, value: string): string {
  return `${isExcluded ? '-' : ''}${name}:${value}`;
}

/**
 * The query that parses into these parts.
 *
 * @example
 * formatParts(parseParts('TAG:"tea"  leaves')); // 'tag:tea leaves'
 */
export function formatParts(parts: readonly QueryPart[]): string {
  // Behind a mark that is not closed, an operator without marks could come to stand in a phrase.
  const unclosed = parts.findIndex(({ kind, text }) => kind === 'word' && UNCLOSED.test(text));
  return parts
    .map((part, at) => {
      if (part.kind === 'word' || part.filter === null) return part.text;
      return unclosed >= 0 && at > unclosed ? withValue(part, quote(part.value)) : formatOperator(part);
    })
    .join(' ');
}

/** A word with the mark at which a phrase would begin. */
const UNCLOSED = new RegExp(`^(?!${PHRASE}$)-?"`);

interface SplitQuery {
  operators: Operator[];
  /** The words besides the operators, with single spaces between them. */
  words: string;
}

/**
 * Splits a query into operators and words. An operator with an invalid value is treated as words (QRY-6).
 *
 * @example
 * splitQuery('green tea tag:"to read"'); // { operators: [{ name: 'tag', value: 'to read' }], words: 'green tea' }
 */
export function splitQuery(query: string): SplitQuery {
  return splitParts(parseParts(query));
}

function splitParts(parts: readonly QueryPart[]): SplitQuery {
  const operators: Operator[] = [];
  const words = parts.filter((part) => {
    if (part.kind === 'word' || part.filter === null) return true;
    const { name, value, isExcluded } = part;
    operators.push({ name, value, ...(isExcluded && { isExcluded }) });
    return false;
  });
  return { operators, words: formatParts(words) };
}

interface ReadQuery extends SplitQuery {
  /** The conditions of all operators. */
  filter: QueryFilter;
  /** The operators with invalid values, which are among the words. */
  invalid: readonly Operator[];
}

/**
 * Splits a query as {@link splitQuery} does, and joins the conditions of its operators. Reads the value of each once.
 *
 * @example
 * readQuery('tea tag:green site:www.a.org site:b.org -is:starred').filter;
 * // { tag: 'green', site: ['a.org', 'b.org'], not: { starred: true } }
 */
export function readQuery(query: string, typed?: Typed): ReadQuery {
  const parts = parseParts(query, typed);
  const operators = parts.filter((part) => part.kind === 'operator');
  return {
    ...splitParts(parts),
    filter: joinFilters(operators),
    invalid: operators.filter(({ filter }) => filter === null),
  };
}

/**
 * Joins the parts of {@link splitQuery}.
 *
 * @example
 * joinQuery([{ name: 'tag', value: 'to read' }], 'green tea'); // 'tag:"to read" green tea'
 */
export function joinQuery(operators: readonly Operator[], words: string): string {
  return [...operators.map(formatOperator), words].filter((part) => part !== '').join(' ');
}

/** Puts a text in quotation marks. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The text that stands between quotation marks. Other backslashes stand for themselves. */
function unquote(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1');
}
