import { expect, test } from 'vitest';
import { picturesSoon } from '../src/pictures/pictures-soon.js';
import { withPictures } from '../src/saving/to-capture.js';

test('EXT-6: a capture goes without pictures that cannot be made, or not soon', async () => {
  expect(await picturesSoon(Promise.reject(new Error('no page')))).toEqual({});
  expect(await picturesSoon(new Promise(() => {}))).toEqual({});
});

test('EXT-6: a capture that would be too large with its pictures goes without them', () => {
  const favicon = { type: 'image/png', data: 'AAAA' };
  const small = { pageText: 'x' };
  expect(withPictures(small, { favicon })).toEqual({ ...small, favicon });
  const large = { pageText: 'x'.repeat(16 * 1024 * 1024 - 50) };
  expect(withPictures(large, { favicon })).toBe(large);
});
