import { dequantise, quantise, scaleOf } from '@recollect/in-memory-index';
import { expect, test } from 'vitest';

/** Rounds to the 11 significant bits of a half-precision number, which a database keeps. */
function halve(value: number): number {
  if (value === 0) return 0;
  const step = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 10);
  return Math.round(value / step) * step;
}

test('CLI-13: each component survives a vector in half precision, and a rounded one is off by half a step', () => {
  const components = Array.from({ length: 255 }, (_, index) => index - 127);
  for (const dimensions of [1, 24, 384, 768, 4_000]) {
    const vector = Int8Array.from({ length: dimensions }, (_, index) => components[index % 255] ?? 0);
    expect(quantise(dequantise(vector))).toEqual(vector);
    expect(quantise(dequantise(vector).map(halve))).toEqual(vector);
    const between = dequantise(vector).map((component) => component * 0.993);
    const rounded = dequantise(quantise(between));
    const error = Math.max(...rounded.map((component, index) => Math.abs(component - (between[index] ?? 0))));
    expect(error * scaleOf(dimensions)).toBeLessThanOrEqual(0.501);
  }
});
