import { readDate } from '@recollect/contract/instant';
import { clients, sourceTypes } from '@recollect/contract/vocabulary';
import type { FilterFields } from './filter-fields.js';

/** The operators of a query, in the order in which they are offered. */
export const operatorNames = ['tag', 'site', 'source', 'after', 'before', 'by'] as const;
export type OperatorName = (typeof operatorNames)[number];

export interface Operator {
  name: OperatorName;
  value: string;
}

export interface SplitQuery {
  operators: Operator[];
  /** The words besides the operators, as typed. */
  words: string;
}

const OPERATOR = /(?<=^|\s)(tag|site|source|after|before|by):(?:"([^"]*)"|([^\s"]\S*))(?=\s|$)/gi;

/**
 * Splits a query into operators and words, as the server does (QRY-8). An operator with an invalid value is treated as words.
 *
 * @example
 * splitQuery('green tea tag:"to read"'); // { operators: [{ name: 'tag', value: 'to read' }], words: 'green tea' }
 */
export function splitQuery(query: string): SplitQuery {
  const operators: Operator[] = [];
  const words = query.replace(OPERATOR, (whole, name: string, quoted: string | undefined, bare: string | undefined) => {
    const operator = { name: name.toLowerCase() as OperatorName, value: quoted ?? bare ?? '' };
    if (!isValid(operator)) return whole;
    operators.push(operator);
    return ' ';
  });
  return { operators, words: words.replace(/\s+/g, ' ').trim() };
}

/** Joins what {@link splitQuery} splits. */
export function joinQuery(operators: readonly Operator[], words: string): string {
  return [...operators.map(formatOperator), words].filter((part) => part !== '').join(' ');
}

/** An operator as it is typed. */
export function formatOperator({ name, value }: Operator): string {
  return /[\s"]/.test(value) ? `${name}:"${value.replaceAll('"', '')}"` : `${name}:${value}`;
}

/** The operators with one more. Each name is used once, and the last one counts. */
export function withOperator(operators: readonly Operator[], added: Operator): Operator[] {
  return [...operators.filter(({ name }) => name !== added.name), added];
}

/** The filter fields that select the same memories. */
export function toFilter(operators: readonly Operator[]): FilterFields {
  const lastOf = (name: OperatorName) => operators.findLast((operator) => operator.name === name)?.value;
  const source = lastOf('source')?.toLowerCase();
  return {
    tag: lastOf('tag'),
    site: lastOf('site'),
    sourceType: sourceTypes.find((known) => known === source),
    since: readDate(lastOf('after') ?? ''),
    until: readDate(lastOf('before') ?? ''),
    by: lastOf('by'),
  };
}

function isValid({ name, value }: Operator): boolean {
  if (value.trim() === '') return false;
  switch (name) {
    case 'source':
      return sourceTypes.some((known) => known === value.toLowerCase());
    case 'by':
      return clients.some((known) => known === value.split(':')[0]?.toLowerCase());
    case 'after':
    case 'before':
      return readDate(value) !== null;
    case 'site':
      return /^[^\s/]+(?:\/.*)?$|^https?:\/\//.test(value);
    default:
      return true;
  }
}
