import { excludable, type Operator, type OperatorName, operatorNames, readOperator } from './operators.js';
import { QUOTED, unquote } from './quotes.js';

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

interface OperatorPart extends Part, Operator {
  kind: 'operator';
  /** Whether the value is valid. Otherwise a search treats the part as text (QRY-6). */
  isValid: boolean;
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
 * //  { kind: 'operator', name: 'tag', value: 'to read', isValid: true, text: 'tag:"to read"', start: 4, end: 17 }]
 */
export function parseParts(query: string): QueryPart[] {
  return Array.from(
    query.matchAll(PART),
    ({ 0: text, 1: minus, 2: name, 3: quoted, 4: bare = '', index: start }): QueryPart => {
      const part = { text, start, end: start + text.length };
      if (name === undefined) return { kind: 'word', ...part };
      const value = quoted === undefined ? bare : unquote(quoted);
      const operator: Operator = { name: name.toLowerCase() as OperatorName, value };
      if (minus !== undefined) operator.isExcluded = true;
      const isOpenQuote = bare.startsWith('"');
      return { kind: 'operator', ...operator, isValid: !isOpenQuote && readOperator(operator) !== null, ...part };
    },
  );
}
