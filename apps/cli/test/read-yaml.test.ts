import { expect, test } from 'vitest';
import { readYaml } from '../src/sources/read-yaml.js';

test('SEC-11: front matter full of errors is read in linear time', () => {
  for (const part of ['&a ', '*a ', '!a ', '"', '[', '- @\n', 'a: b: c\n'])
    expect((size: number) => {
      expect(() => readYaml(part.repeat(size / part.length))).toThrow();
    }).toTakeLinearTime(12_000);
});
