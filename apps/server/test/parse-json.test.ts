import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError, parseJson } from '../src/parse-json.js';

const bytes = (text: string) => new TextEncoder().encode(text);
/** JSON that is accepted: well-formed strings, exact integers, bounded depth, and no `__proto__`. */
const acceptable = fc.json({ maxDepth: 5, stringUnit: 'grapheme' }).filter((text) => isAcceptable(JSON.parse(text)));

function isAcceptable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => key !== '__proto__' && key.isWellFormed() && isAcceptable(item));
}

test('SEC-11: parses acceptable JSON like JSON.parse', () => {
  fc.assert(fc.property(acceptable, (text) => void expect(parseJson(bytes(text))).toEqual(JSON.parse(text))));
});

test('SEC-11: refuses a body with more keys than anyone needs, before they cost seconds', () => {
  const withKeys = (count: number) => bytes(`[${Array.from({ length: count / 2 }, () => '{"a":1,"b":2}').join()}]`);
  expect(parseJson(withKeys(200_000))).toHaveLength(100_000);
  expect(() => parseJson(withKeys(200_002))).toThrow('The body has more than 200000 keys.');
});

test('SEC-11: parses any bytes like JSON.parse, or throws a JsonError', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'{}[]":,\\ue1.-0tnf \n'), maxLength: 60 }).map(bytes),
    fc.string({ unit: 'binary', maxLength: 60 }).map(bytes),
  );
  fc.assert(
    fc.property(anything, (sent) => {
      let read: unknown;
      try {
        read = parseJson(sent);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
        return;
      }
      expect(read).toEqual(JSON.parse(new TextDecoder().decode(sent)));
    }),
    { numRuns: 2_000 },
  );
});

test('SEC-11: rejects a duplicate key in an object, even an escaped one, at any depth', () => {
  const escaped = (key: string) =>
    [...key].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,6}$/),
      acceptable,
      fc.nat(20),
      fc.boolean(),
      (key, value, depth, isEscaped) => {
        const second = isEscaped ? escaped(key) : key;
        const object = `{"${key}":1,"x${key}":${value},"${second}":2}`;
        const text = '{"a":'.repeat(depth) + object + '}'.repeat(depth);
        expect(() => parseJson(bytes(text))).toThrow(JsonError);
        // The same key in two objects is fine.
        expect(() => parseJson(bytes(`[{"${key}":1},{"${key}":2}]`))).not.toThrow();
      },
    ),
  );
});

test('SEC-11: accepts 32 levels and rejects 33, of arrays, objects and both', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (levels) => {
      const text =
        levels.map((isArray) => (isArray ? '[' : '{"a":')).join('') +
        '0' +
        levels
          .toReversed()
          .map((isArray) => (isArray ? ']' : '}'))
          .join('');
      const read = () => parseJson(bytes(text));
      if (levels.length <= 32) expect(read).not.toThrow();
      else expect(read).toThrow(JsonError);
    }),
  );
});
