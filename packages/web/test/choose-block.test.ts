import { describe, expect, test } from 'vitest';
import { chooseBlock } from '../src/app/reader/open-at.js';

const paragraphs = (...texts: string[]) => texts.map((text) => ({ text, isHeading: text.startsWith('# ') }));

describe('QRY-9: the block that a search was for', () => {
  const blocks = paragraphs(
    '# Energy',
    'The office was founded by the energy act, and the energy crisis followed.',
    'Historically, the administrator of the state was its governor.',
    'In 1973, Nixon named William E. Simon as the first administrator of the Federal Energy Office.',
    'Later, the office was renamed.',
  );
  const choose = (words: string, passage: string) => blocks[chooseBlock(blocks, { words, passage })]?.text;

  test('is the one in the passage with the most of the rarer words', () => {
    const passage = blocks
      .slice(2)
      .map(({ text }) => text)
      .join('\n\n');
    expect(choose('who was the first administrator of the federal energy office', passage)).toMatch(/^In 1973/);
    // Its beginning belongs to the chunk before.
    expect(choose('first administrator', passage.slice(20))).toMatch(/^In 1973/);
  });

  test('is one of the whole text if the passage is not known, or has changed since', () => {
    for (const passage of ['', 'Nothing of it is there any more.'])
      expect(choose('william simon', passage)).toMatch(/^In 1973/);
  });

  test('is the longest in the passage if no word is in it, and none if nothing is known', () => {
    expect(choose('who led the bureau', `${blocks[3]?.text}\n\n${blocks[4]?.text}`)).toMatch(/^In 1973/);
    expect(chooseBlock(blocks, { words: 'zebra', passage: '' })).toBe(-1);
    expect(chooseBlock([], { words: 'zebra', passage: 'zebra' })).toBe(-1);
  });

  test('is read without the marks of Markdown', () => {
    const shown = paragraphs('Read the manual first.', 'Then call parseHTTPHeaders with the raw bytes.');
    const passage =
      'Read the [manual](https://a.example/) first.\n\nThen call `parseHTTPHeaders` with the **raw** bytes.';
    expect(chooseBlock(shown, { words: 'http headers', passage })).toBe(1);
  });
});
