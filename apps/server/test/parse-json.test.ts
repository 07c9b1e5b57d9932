import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError, parseJson } from '../src/parse-json.js';

const bytes = (text: string) => new TextEncoder().encode(text);
/** JSON that is taken: strings well formed, integers exact, depth bounded, and no `__proto__`. */
const acceptable = fc.json({ maxDepth: 5, stringUnit: 'grapheme' }).filter((text) => isAcceptable(JSON.parse(text)));

function isAcceptable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => key !== '__proto__' && key.isWellFormed() && isAcceptable(item));
}

test('SEC-11: acceptable JSON is read as JSON.parse reads it', () => {
  fc.assert(fc.property(acceptable, (text) => void expect(parseJson(bytes(text))).toEqual(JSON.parse(text))));
});

test('SEC-11: whatever the bytes, they are read as JSON.parse reads them or refused with a JsonError', () => {
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

test('SEC-11: a key that stands twice in an object is refused, however it is written, at any depth', () => {
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
        // The same key in two objects is no fault.
        expect(() => parseJson(bytes(`[{"${key}":1},{"${key}":2}]`))).not.toThrow();
      },
    ),
  );
});

test('SEC-11: 32 levels are taken and 33 are not, of arrays, objects and both', () => {
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
