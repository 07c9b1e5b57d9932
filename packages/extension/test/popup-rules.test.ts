import { countWords, markMatches } from '@recollect/contract/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withTextFragment } from '../src/popup/text-fragment.js';
import type { Reading } from '../src/reading.js';
import { bookmarklet } from '../src/save-page/bookmarklet.js';
import { textOf } from '../src/saving/modes.js';
import { continueDraft, NO_ADDITIONS, problemOf, toCapture } from '../src/saving/to-capture.js';

const marked = (excerpt: string, query: string) =>
  markMatches(excerpt, query)
    .filter(({ isMatch }) => isMatch)
    .map(({ text }) => text);

test('text typed before a draft is read joins the draft', () => {
  const kept = { title: 'Mine', tags: 'one', note: 'Begun.' };
  expect(continueDraft(kept, NO_ADDITIONS)).toEqual(kept);
  expect(continueDraft(NO_ADDITIONS, kept)).toEqual(kept);
  expect(continueDraft(kept, { title: null, tags: 'two', note: 'Continued.' })).toEqual({
    title: 'Mine',
    tags: 'one, two',
    note: 'Begun.\nContinued.',
  });
  // A window keeps what was typed in the draft, and may be closed after that.
  expect(continueDraft(kept, kept)).toEqual(kept);
  const longer = { title: null, tags: 'none, one', note: '' };
  expect(continueDraft(longer, { title: null, tags: 'one', note: '' })).toEqual(longer);
  expect(continueDraft(longer, { title: null, tags: 'e', note: '' }).tags).toBe('none, one, e');
});

describe('match marks', () => {
  test('cover words in all forms and spellings, regardless of accents and case', () => {
    expect(marked('The Lamps of a lamplighter, LAMP by lamp; a clamp', 'lamp')).toEqual(['Lamps', 'LAMP', 'lamp']);
    expect(marked('Das Café am Fluß, cafes', 'cafe')).toEqual(['Café', 'cafes']);
    expect(marked('choosing what bees choose', 'chooses')).toEqual(['choosing', 'choose']);
    expect(marked('明日は雨が降る', '雨が')).toEqual(['雨が']);
    expect(marked('霧見橋は渡れる', '橋')).toEqual(['橋']);
    expect(marked('東京都庁舎', '東京都')).toEqual(['東京都']);
    expect(marked('an apple', 'site:a.example tag:an')).toEqual([]);
    expect(marked("O'Brien paid 48,250 for 🦄 and 🍕", 'obrien 48250 🦄')).toEqual(["O'Brien", '48,250', '🦄']);
    expect(marked('call parseHTTPHeaders first', 'http headers')).toEqual(['HTTPHeaders']);
  });

  test('QRY-9: cover no words that every text has, and no longer words that only begin alike', () => {
    expect(marked('A new nest for foreign news: do bees nest?', 'how do bees choose a new nest')).toEqual([
      'new',
      'nest',
      'news',
      'bees',
      'nest',
    ]);
    expect(marked('What it is', 'what is it')).toEqual(['What', 'it', 'is']);
    expect(marked('The teacher has tea', 'tea')).toEqual(['tea']);
    expect(marked('The teacher has a team', 'tea')).toEqual(['teacher', 'team']);
  });

  test('split any excerpt into pieces that join to the same excerpt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (excerpt, query) => {
        expect(
          markMatches(excerpt, query)
            .map(({ text }) => text)
            .join(''),
        ).toBe(excerpt);
      }),
    );
  });
});

describe('text fragments', () => {
  test('contain the words from the match onwards, as the page shows them', () => {
    const url = 'https://a.example/x';
    expect(withTextFragment(url, 'Before. The **old** lamps of the quay, twelve of them', 'lamps')).toBe(
      `${url}#:~:text=lamps%20of%20the%20quay%2C%20twelve%20of`,
    );
    expect(withTextFragment(url, '…see [the lamp-lighter](https://b.example/) here', 'lighter')).toBe(
      `${url}#:~:text=lighter%20here`,
    );
    expect(withTextFragment(`${url}#part`, 'a lamp-post', 'lamp')).toBe(`${url}#part:~:text=lamp%2Dpost`);
    expect(withTextFragment(url, 'nothing of it', 'lamps')).toBe(url);
  });

  test('keep the address of the page for any excerpt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (excerpt, query) => {
        const address = new URL(withTextFragment('https://a.example/x?y=1', excerpt, query));
        expect(address.href.split('#')[0]).toBe('https://a.example/x?y=1');
      }),
    );
  });
});

test('counts words as a reader would, including in scripts without spaces', () => {
  expect(countWords("It's a well-known fact: 3.5 metres.")).toBe(6);
  expect(countWords('')).toBe(0);
  expect(countWords('نص عربي قصير')).toBe(3);
  expect(countWords('私は学生です')).toBeGreaterThan(2);
});

describe('a capture', () => {
  const reading: Reading = {
    url: 'https://a.example/',
    title: 'T'.repeat(20_000),
    sourceApp: 'web',
    selection: 'the selection',
    messages: [{ role: 'user', text: 'hi' }],
    pageText: 'the page',
    wholeText: null,
    comments: [],
    keepsComments: true,
    scope: 'article',
    smart: 'selection',
    facts: { language: 'en' },
    extractor: 'defuddle',
    isStreaming: false,
    pdf: null,
    problem: null,
  };

  test('CAP-3: contains only the text of its mode, and cuts a title that is too long', () => {
    const capture = toCapture(reading, 'page', { title: null, tags: ' a, #b,, a', note: '  ' }, '1.0');
    expect(capture).toMatchObject({ captureMode: 'page', pageText: 'the page', tags: ['a', 'b'] });
    expect(Object.keys(capture)).not.toEqual(expect.arrayContaining(['selection']));
    expect(Object.keys(capture)).not.toEqual(expect.arrayContaining(['messages']));
    expect(capture).not.toHaveProperty('note');
    expect(capture.title?.length).toBe(10_000);
    expect(capture.metadata).toMatchObject({
      extensionVersion: '1.0',
      language: 'en',
      extractor: 'defuddle',
      words: 2,
    });
  });

  test('CAP-7: reports tags and notes that are too long instead of cutting them', () => {
    const made = (tags: string, note: string) => toCapture(reading, 'page', { title: null, tags, note }, '1');
    const many = Array.from({ length: 101 }, (_, at) => `t${at}`).join(',');
    expect(made(many, '').tags?.length).toBe(101);
    expect(problemOf(made(many, ''))).toMatch(/101 tags, but at most 100/);
    expect(made('x'.repeat(101), '').tags).toEqual(['x'.repeat(101)]);
    expect(problemOf(made('x'.repeat(101), ''))).toMatch(/at most 100 characters/);
    expect(made('', 'n'.repeat(20_001)).note?.length).toBe(20_001);
    expect(problemOf(made('', 'n'.repeat(20_001)))).toMatch(/20001 characters, but at most 20000/);
    expect(problemOf(made('a, b', 'n'.repeat(20_000)))).toBeNull();
    const long = { ...made('', ''), url: `https://a.example/${'q'.repeat(8_300)}` };
    expect(problemOf(long)).toMatch(/has 8318 characters, but at most 8192 can be saved/);
  });

  test('CAP-3: cuts a title between characters', () => {
    const title = `${'T'.repeat(9_999)}𝄞`;
    expect(
      toCapture({ ...reading, title }, 'page', { title: null, tags: '', note: '' }, '1').title?.isWellFormed(),
    ).toBe(true);
  });

  test('CAP-11: has no half of a character, which scripts of a page can leave in its text', () => {
    const half = 'a \ud83d half';
    const broken = {
      ...reading,
      title: half,
      pageText: half,
      selection: half,
      messages: [{ role: 'user', text: half }],
    };
    for (const mode of ['page', 'selection', 'conversation'] as const) {
      const capture = toCapture(
        { ...broken, facts: { author: half } },
        mode,
        { title: half, tags: half, note: half },
        '1',
      );
      expect(JSON.stringify(capture)).not.toContain('\\ud83d');
      expect(JSON.stringify(capture)).toContain('a \ufffd half');
    }
  });

  test('uses the smart mode unless the user chooses another', () => {
    const modes = ['selection', 'conversation', 'page'] as const;
    expect(modes.map((mode) => toCapture(reading, mode, { title: null, tags: '', note: '' }, '1').captureMode)).toEqual(
      ['smart', 'conversation', 'page'],
    );
    expect(modes.map((mode) => textOf(reading, mode))).toEqual(['the selection', 'user: hi', 'the page']);
  });
});

test('the bookmarklet is an address without characters that would end it', () => {
  const address = bookmarklet('http://127.0.0.1:4545');
  expect(address).toMatch(/^javascript:[\w!'()*.~%-]+$/);
  expect(decodeURIComponent(address)).toContain('http://127.0.0.1:4545/save');
});
