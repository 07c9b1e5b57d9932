import { expect, test } from 'vitest';
import { readYaml } from '../src/sources/read-yaml.js';

test('SEC-11: front matter full of errors is read in linear time', () => {
  for (const part of ['&a ', '*a ', '!a ', '"', '[', '- @\n', 'a: b: c\n'])
    expect((size: number) => {
      expect(() => readYaml(part.repeat(size / part.length))).toThrow();
    }).toTakeLinearTime(12_000);
});

test('SEC-11: front matter that is indented too deeply is refused, and does not end the process', () => {
  const deep = ['- '.repeat(30_000), '? '.repeat(30_000), `a:\n${' '.repeat(60_000)}b: 1`, `a:\n${' '.repeat(201)}- 1`];
  for (const text of deep) expect(() => readYaml(text)).toThrow('The YAML is indented too deeply.');
  expect(readYaml(`a:\n${' '.repeat(100)}- 1`)).toEqual({ a: [1] });
});
