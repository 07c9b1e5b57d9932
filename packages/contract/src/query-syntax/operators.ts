import { readDate } from '../instant.js';
import { type ReadState, readStates, type SourceType, sourceTypes } from '../vocabulary.js';
import { readBy } from './read-by.js';
import { readSite } from './site.js';

/** Conditions on a memory (QRY-8). It must meet all that are given. */
export interface QueryFilter {
  sourceType?: SourceType | undefined;
  /** Host; its subdomains are included. */
  site?: string | undefined;
  tag?: string | undefined;
  /** Captured at or after this instant. */
  since?: string | undefined;
  /** Captured before this instant. */
  until?: string | undefined;
  /**
   * The kind of client that saved it; or, as `mcp:Claude`, one assistant or plugin; or, as `mcp:`, those without a name; or, as
   * `key:Phone`, an API key.
   */
  by?: string | undefined;
  starred?: boolean | undefined;
  readState?: ReadState | undefined;
}

/** The filter that a value stands for. Null if the value is invalid. */
type ReadValue = (value: string) => QueryFilter | null;

/** How the value of each operator is read, in the order in which the operators are offered. */
const operators = {
  tag: into('tag', (value) => value || null),
  site: into('site', readSite),
  source: into('sourceType', (value) => sourceTypes.find((known) => known === value.toLowerCase()) ?? null),
  after: into('since', readDate),
  before: into('until', readDate),
  by: into('by', readBy),
  is: readIs,
} satisfies Record<string, ReadValue>;

export type OperatorName = keyof typeof operators;
export const operatorNames = Object.keys(operators) as readonly OperatorName[];

export interface Operator {
  name: OperatorName;
  value: string;
}

/**
 * Reads the value of an operator. Null if it is invalid.
 *
 * @example
 * readOperator({ name: 'after', value: '2026-02' }); // { since: '2026-02-01T00:00:00.000Z' }
 */
export function readOperator({ name, value }: Operator): QueryFilter | null {
  return operators[name](value.trim());
}

/**
 * The filter that selects what all of the operators select. Of several with the same name, the last one counts. Ignores those
 * that are invalid.
 *
 * @example
 * toFilter([{ name: 'tag', value: 'tea' }, { name: 'site', value: 'www.example.org' }]); // { tag: 'tea', site: 'example.org' }
 */
export function toFilter(given: readonly Operator[]): QueryFilter {
  return Object.assign({}, ...given.map(readOperator));
}

/** What `is:` can say of a memory. */
export const states = ['starred', ...readStates, 'generated'] as const;

function readIs(value: string): QueryFilter | null {
  const state = states.find((known) => known === value.toLowerCase());
  if (state === undefined) return null;
  if (state === 'starred') return { starred: true };
  // What no person wrote: the same as by:plugin.
  return state === 'generated' ? { by: 'plugin' } : { readState: state };
}

function into<Field extends keyof QueryFilter>(
  field: Field,
  read: (value: string) => NonNullable<QueryFilter[Field]> | null,
): ReadValue {
  return (text) => {
    const value = read(text);
    return value === null ? null : { [field]: value };
  };
}
