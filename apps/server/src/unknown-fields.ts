import { clipText } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import { closestMatch } from 'leven';
import type { TSchema } from 'typebox';

/** How many are named, and how much of each name. */
const MAX_REPORTED = { fields: 10, characters: 60 };
/** Names that differ in more letters, or in half of their letters, are not typos. */
const DISTANCE = 3;

type Schema = TSchema & {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

/**
 * Warnings about fields of a valid body that its schema does not have: newer clients may send more, but most are
 * typos. Fields of free-form objects are not reported.
 *
 * @example
 * unknownFields(CaptureBody, { pageText: 'Tea', tagz: ['drink'] });
 * // ['The field /tagz is unknown and was ignored. Did you mean tags?']
 */
export function unknownFields(schema: TSchema, body: unknown): string[] {
  const messages: string[] = [];
  collect(schema as Schema, body, '', (pointer, fieldNames) => {
    if (messages.length < MAX_REPORTED.fields) messages.push(explainUnknownField(pointer, fieldNames));
  });
  return messages;
}

/**
 * Throws VALIDATION_FAILED if a query has a parameter that its schema does not have: a filter with a typo would
 * otherwise return everything.
 */
export function rejectUnknownParameters(schema: TSchema | undefined, query: object): void {
  const fieldNames = Object.keys((schema as Schema | undefined)?.properties ?? {});
  const unknown = Object.keys(query).find((name) => !fieldNames.includes(name));
  if (unknown === undefined) return;
  const all = fieldNames.length === 0 ? 'There are none.' : `Known are ${fieldNames.join(', ')}.`;
  // Errors do not echo what was sent (SEC-16).
  throw new RecollectError(
    'VALIDATION_FAILED',
    `The address has a parameter that this operation does not know.${suggest(unknown, fieldNames)} ${all}`,
  );
}

/** The nearest known name, as a question; nothing if no name is near. */
function suggest(field: string, fieldNames: readonly string[]): string {
  const maxDistance = Math.min(DISTANCE, Math.floor(field.length / 2));
  const nearest = closestMatch(field, [...fieldNames], { maxDistance });
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

function explainUnknownField(pointer: string, fieldNames: readonly string[]): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return `The field ${clipText(pointer, MAX_REPORTED.characters)} is unknown and was ignored.${suggest(name, fieldNames)}`;
}

function collect(
  schema: Schema,
  value: unknown,
  pointer: string,
  report: (pointer: string, fieldNames: readonly string[]) => void,
): void {
  const fits = schema.anyOf?.find((branch) => branch.type === (Array.isArray(value) ? 'array' : typeof value));
  if (schema.anyOf !== undefined) {
    if (fits !== undefined) collect(fits, value, pointer, report);
    return;
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const [at, item] of value.entries()) collect(items, item, `${pointer}/${at}`, report);
    return;
  }
  const { properties } = schema;
  if (typeof value !== 'object' || value === null || properties === undefined) return;
  const fieldNames = Object.keys(properties);
  for (const [name, field] of Object.entries(value)) {
    if (properties[name] === undefined) report(`${pointer}/${name}`, fieldNames);
    else collect(properties[name], field, `${pointer}/${name}`, report);
  }
}
