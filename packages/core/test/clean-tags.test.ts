import { expect, test } from 'vitest';
import { cleanTags } from '../src/drafts/normalise-capture.js';

test('CAP-4: a tag is stored as any other text is, so that an export of it can be imported', () => {
  expect(cleanTags(['tea', 'half\ud83d', ' Tea ', 'a\0b'])).toEqual(['tea', 'half\ufffd', 'ab']);
});
