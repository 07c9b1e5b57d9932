import { shownResults } from '@recollect/contract/shown-results';
import { expect, test } from 'vitest';

const scored = (...scores: number[]) => scores.map((score) => ({ score, match: { meaning: 0.6 } }));

test('QRY-11: strong results come first, then at most ten weaker ones', () => {
  expect(shownResults(scored(0.9, 0.3, 0.29, 0.01))).toEqual({ strong: scored(0.9, 0.3), weaker: scored(0.29, 0.01) });
  expect(shownResults([...scored(0.9), ...Array.from({ length: 49 }, () => scored(0.2)).flat()]).weaker).toHaveLength(
    10,
  );
});

test('QRY-11: nothing is shown if no result is close', () => {
  expect(shownResults(scored(0.1, 0.02))).toEqual({ strong: [], weaker: scored(0.1, 0.02) });
  expect(shownResults(scored(0.09, 0.02))).toEqual({ strong: [], weaker: [] });
  expect(shownResults([])).toEqual({ strong: [], weaker: [] });
  const byWord = { score: 0.02, match: { meaning: 0 } };
  expect(shownResults([byWord])).toEqual({ strong: [], weaker: [byWord] });
});
