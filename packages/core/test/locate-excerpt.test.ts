import fc from 'fast-check';
import { expect, test } from 'vitest';
import { locateExcerpt } from '../src/retrieval/read-passages.js';

const piece = fc.constantFrom('tea', 'te', 'a', 'été', '80', '𝒳', ' ', '**', '…', '\n', '](x) ');
const pieces = (most: number) => fc.array(piece, { maxLength: most }).map((parts) => parts.join(''));

test('QRY-5: an excerpt begins where its first three words stand one after another', () => {
  fc.assert(
    fc.property(pieces(30), pieces(8), (chunk, rest) => {
      const words = rest.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, 3) ?? [];
      const place = chunk.search(new RegExp(words.join('[^\\p{L}\\p{N}\\p{M}]+'), 'u'));
      expect(locateExcerpt(chunk, `…${rest}`)).toBe(words.length === 0 ? 0 : Math.max(0, place));
    }),
    { numRuns: 500 },
  );
});

test('QRY-5: an excerpt without an ellipsis is the beginning, and so is one that differs too much', () => {
  expect(locateExcerpt('Green tea', 'tea')).toBe(0);
  expect(locateExcerpt('Green tea', '…coffee')).toBe(0);
  expect(locateExcerpt('# Tea\n\nSteep **green** tea.', '…Steep green tea.')).toBe(7);
});
