import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { checkDefinition, validateConfiguration } from '../src/check-definition.js';
import { describeDefinition } from '../src/describe-definition.js';

const run = () => undefined;

describe('a definition', () => {
  test('PLG-4: accepts or rejects any export, with a message per error', () => {
    fc.assert(
      fc.property(fc.anything(), (exported) => {
        for (const { message } of checkDefinition(exported)) expect(message).toMatch(/\w/);
      }),
    );
    expect(checkDefinition({ slug: 'a', version: '1', title: 'A', jobs: { b: { title: 'B', run } } })).toEqual([]);
  });

  test('PLG-4: allows only lower-case letters, digits and single hyphens in names', () => {
    const nameOf = (slug: string) => checkDefinition({ slug, version: '1', title: 'A', onCapture: run }).length === 0;
    for (const slug of ['a', 'a-b', 'tags2', 'x1-y2']) expect([slug, nameOf(slug)]).toEqual([slug, true]);
    for (const slug of ['', 'A', 'a--b', '-a', 'a-', 'a_b', '../a', 'a/b', '1a', 'ä', 'a'.repeat(51)])
      expect([slug, nameOf(slug)]).toEqual([slug, false]);
  });

  test('PLG-2: describes a plugin as plain data', () => {
    const definition = {
      slug: 'a',
      version: '1',
      title: 'A',
      configuration: Type.Object({ n: Type.Integer({ default: 1 }) }),
      jobs: { b: { title: 'B', run } },
    };
    const manifest = describeDefinition(definition);
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
    expect(manifest).toMatchObject({
      observesCaptures: false,
      scopes: [],
      jobs: [{ id: 'b', defaultIntervalMinutes: 1_440 }],
    });
  });
});

describe('a configuration', () => {
  test('PLG-3: a valid configuration stays valid with its defaults, and the input is not modified', () => {
    const schema = Type.Object({
      a: Type.Integer({ default: 3, minimum: 1 }),
      b: Type.Array(Type.String(), { default: ['x'] }),
    });
    const some = fc.record({ a: fc.oneof(fc.integer(), fc.string()), b: fc.array(fc.string()) }, { requiredKeys: [] });
    fc.assert(
      fc.property(some, (given) => {
        const before = JSON.stringify(given);
        const first = validateConfiguration(schema, given);
        expect(JSON.stringify(given)).toBe(before);
        if (first.kind === 'valid') expect(validateConfiguration(schema, first.configuration)).toEqual(first);
        else expect(first.errors.length).toBeGreaterThan(0);
      }),
    );
  });
});
