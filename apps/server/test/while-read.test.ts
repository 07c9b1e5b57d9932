import { expect, test, vi } from 'vitest';
import { whileRead } from '../src/while-read.js';

async function* textsOf(...texts: string[]) {
  yield* texts;
}

test('EXP-7: a long line is read in parts, so that a slow reader does not stall', async () => {
  const line = `x${'😀'.repeat(100_000)}\n`;
  const parts: string[] = [];
  for await (const part of whileRead(textsOf('header\n', line), 60_000, () => {})) parts.push(part);
  expect(parts.join('')).toBe(`header\n${line}`);
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.every((part) => part.length <= 65_536 && part.isWellFormed())).toBe(true);
});

test('EXP-7: a reader that takes no part in time stalls, and one that takes each does not', async () => {
  vi.useFakeTimers();
  try {
    const stalls: number[] = [];
    const pauses = [0, 40, 119, 40, 200];
    let at = 0;
    for await (const _ of whileRead(textsOf('x'.repeat(300_000)), 120, () => stalls.push(at))) {
      await vi.advanceTimersByTimeAsync(pauses[at] ?? 0);
      at += 1;
    }
    expect(stalls).toEqual([4]);
  } finally {
    vi.useRealTimers();
  }
});
