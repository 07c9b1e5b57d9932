import type { TObject, TSchema } from 'typebox';

/**
 * Reads the arguments of a call as models send them. Null counts as missing. For an argument of another type, a string
 * that is JSON of that type is its value, and a string of labels is a list that is separated by commas. Everything else
 * is left for the schema to accept or refuse.
 */
export function readArguments(schema: TObject, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'string' ? readAs(schema.properties[name], value) : value]),
  );
}

interface JsonSchema {
  type?: string;
  items?: JsonSchema;
}

function readAs(schema: TSchema | undefined, text: string): unknown {
  const { type, items } = (schema ?? {}) as JsonSchema;
  if (type === undefined || type === 'string') return text;
  const value = parse(text);
  if (isOf(type, value)) return value;
  // The commas of JSON that is cut off separate no labels.
  if (type !== 'array' || items?.type !== 'string' || text.trimStart().startsWith('[')) return text;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  // The types of a JSON Schema that are left have the names of JavaScript.
  return value !== null && !Array.isArray(value) && typeof value === type;
}

/** The value of a text in JSON, and of Python's names for true and false; undefined if it is neither. */
function parse(text: string): unknown {
  if (/^\s*(?:True|False)\s*$/.test(text)) return /True/.test(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
