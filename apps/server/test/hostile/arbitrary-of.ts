import fc from 'fast-check';

/** The part of JSON Schema that the interface uses. */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  not?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
}

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Values that match a schema, provided that the schema expresses all rules. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.filter(isPossible).map(arbitraryOf));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'string':
      return textOf(schema);
    case 'array':
      return schema.items === undefined || !isPossible(schema.items)
        ? fc.constant([])
        : fc.array(arbitraryOf(schema.items), {
            minLength: schema.minItems ?? 0,
            maxLength: Math.min(schema.maxItems ?? 4, Math.max(4, schema.minItems ?? 0)),
          });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function textOf({ format, pattern, maxLength = 1_000 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'http-url') return fc.webUrl({ withFragments: true, withQueryParameters: true });
  if (format === 'instant') {
    const range = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString());
  }
  return text.map((value) => value.slice(0, maxLength));
}

function objectOf({ properties = {}, required = [], patternProperties }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).filter(([, field]) => isPossible(field));
  const known = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, arbitraryOf(field)])), {
    requiredKeys: required,
  });
  if (patternProperties === undefined) return known;
  return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
}

function isPossible({ not }: Schema): boolean {
  return not === undefined;
}

/** Values that may not match a schema: matching values with one part replaced, and any JSON. */
export function almostMatching(schema: Schema): fc.Arbitrary<unknown> {
  const broken = fc.tuple(arbitraryOf(schema), fc.jsonValue({ maxDepth: 2 }), fc.nat()).map(([value, wrong, at]) => {
    if (typeof value !== 'object' || value === null) return wrong;
    const keys = Object.keys(value);
    const key = keys[at % Math.max(1, keys.length)] ?? 'extra';
    return Array.isArray(value) ? [...value, wrong] : { ...value, [key]: wrong };
  });
  return fc.oneof({ weight: 3, arbitrary: broken }, { weight: 1, arbitrary: fc.jsonValue() });
}
