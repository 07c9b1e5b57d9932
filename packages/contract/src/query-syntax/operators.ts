import { readDate, type Typed } from '../instant.js';
import { tagPath } from '../text/tags.js';
import {
  clients,
  type Place,
  places,
  type ReadState,
  readStates,
  type SourceType,
  sourceTypes,
} from '../vocabulary.js';
import { readSite } from './site.js';

/** Stands for an API key, used with any client. */
const KEY = 'key';

/**
 * Reads who saved a memory: the kind of client in lower case, perhaps with the name of one assistant or plugin as it
 * was given; or `key` and the name of an API key. An empty name stands for clients that gave none. Null if the kind is
 * unknown.
 *
 * @example
 * readBy('MCP:Claude Code'); // 'mcp:Claude Code'
 * readBy('mcp:'); // 'mcp:', unlike 'mcp', which stands for all assistants
 */
export function readBy(text: string): string | null {
  const [kind = '', ...rest] = text.trim().split(':');
  const client = [...clients, KEY].find((known) => known === kind.trim().toLowerCase());
  const name = rest.join(':').trim();
  if (client === undefined || (client === KEY && name === '')) return null;
  return rest.length === 0 ? client : `${client}:${name}`;
}

export type OneOrMore<Value> = Value | readonly Value[];

/** One value or several as a list; none for undefined. */
export function valuesOf<Value extends string>(given: OneOrMore<Value> | undefined): readonly Value[] {
  if (given === undefined) return [];
  return typeof given === 'string' ? [given] : given;
}

/**
 * Conditions on a memory (QRY-8). It must meet all that are given. Of several values of a field, it needs one, because
 * it has no more than one; of several tags, it needs all.
 */
export interface QueryFilter {
  sourceType?: OneOrMore<SourceType> | undefined;
  /** Host; its subdomains are included. */
  site?: OneOrMore<string> | undefined;
  tag?: OneOrMore<string> | undefined;
  /** Captured at or after this instant. */
  since?: string | undefined;
  /** Captured before this instant. */
  until?: string | undefined;
  /**
   * The kind of client that saved it; or, as `mcp:Claude`, one assistant or plugin; or, as `mcp:`, those without a
   * name; or, as `key:Phone`, an API key.
   */
  by?: OneOrMore<string> | undefined;
  starred?: boolean | undefined;
  /** Whether only its address is saved, as of an imported bookmark, and not the text of the page. */
  link?: boolean | undefined;
  readState?: OneOrMore<ReadState> | undefined;
  place?: OneOrMore<Place> | undefined;
  /** Excluded values. */
  not?: Excluded | undefined;
}

export type Excluded = Omit<QueryFilter, 'since' | 'until' | 'not'>;

/** The filter that a value stands for. Null if the value is invalid. */
type ReadValue = (value: string, typed?: Typed) => QueryFilter | null;

/** How the value of each operator is read, in the order in which the operators are offered. */
const operators = {
  tag: into('tag', (value) => (tagPath(value) === '' ? null : value)),
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
  /** Whether a minus stands before it: it selects the memories that it does not describe. */
  isExcluded?: true;
}

/** The operators that a minus may stand before. `before:` is the opposite of `after:`. */
export const excludable: readonly OperatorName[] = ['tag', 'site', 'source', 'by', 'is'];

/**
 * Reads the value of an operator. Null if it is invalid.
 *
 * @example
 * readOperator({ name: 'after', value: '2026-02' }, { timeZone: 'UTC' }); // { since: '2026-02-01T00:00:00.000Z' }
 */
export function readOperator({ name, value }: Pick<Operator, 'name' | 'value'>, typed?: Typed): QueryFilter | null {
  return operators[name](value.trim(), typed);
}

/** The operators that say more when they are given again. Of all others, the last one counts. */
const repeatable: readonly OperatorName[] = ['tag', 'site', 'source', 'by', 'is'];

/**
 * The operators with one more, which takes the place of one that it makes void.
 *
 * @example
 * withOperator([{ name: 'tag', value: 'tea' }], { name: 'tag', value: 'green' }); // both
 * withOperator([{ name: 'after', value: '2025' }], { name: 'after', value: '2026' });
 * // [{ name: 'after', value: '2026' }]
 */
export function withOperator(operators: readonly Operator[], added: Operator): Operator[] {
  const isVoid = ({ name, value }: Operator) =>
    name === added.name && (value === added.value || !repeatable.includes(name));
  return [...operators.filter((operator) => !isVoid(operator)), added];
}

/** An operator and its conditions: null if its value is invalid. */
export interface ReadOperator extends Operator {
  filter: QueryFilter | null;
}

/** The conditions of all operators. Ignores those that are invalid. */
export function joinFilters(operators: readonly ReadOperator[]): QueryFilter {
  const not = joinAll(operators.filter(({ isExcluded }) => isExcluded));
  const filter = joinAll(operators.filter(({ isExcluded }) => !isExcluded));
  return { ...filter, ...(Object.keys(not).length > 0 ? { not } : {}) };
}

function joinAll(operators: readonly ReadOperator[]): Omit<QueryFilter, 'not'> {
  const joined: Record<string, unknown> = {};
  for (const { name, filter } of operators)
    for (const [field, value] of Object.entries(filter ?? {})) {
      const isRepeatable = repeatable.includes(name) && typeof value === 'string';
      const all = isRepeatable ? [...new Set([...valuesOf(joined[field] as OneOrMore<string>), value])] : [];
      joined[field] = all.length > 1 ? all : value;
    }
  return joined;
}

/** The values of `is:`. */
export const states = ['starred', ...readStates, ...places, 'link', 'generated'] as const;

function readIs(value: string): QueryFilter | null {
  const state = states.find((known) => known === value.toLowerCase());
  if (state === undefined) return null;
  if (state === 'starred') return { starred: true };
  if (state === 'link') return { link: true };
  // Memories that no person wrote: the same as by:plugin.
  if (state === 'generated') return { by: 'plugin' };
  const place = places.find((known) => known === state);
  return place === undefined ? { readState: state as ReadState } : { place };
}

function into<Field extends keyof QueryFilter>(
  field: Field,
  read: (value: string, typed?: Typed) => NonNullable<QueryFilter[Field]> | null,
): ReadValue {
  return (text, typed) => {
    const value = read(text, typed);
    return value === null ? null : { [field]: value };
  };
}
