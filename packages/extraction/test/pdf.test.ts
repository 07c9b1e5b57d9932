import { readFile } from 'node:fs/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { openArticleExtractor } from '@recollect/extraction';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { joinHyphens } from '../src/pdf/join-hyphens.js';
import type { Line } from '../src/pdf/lines.js';
import { toMarkdown } from '../src/pdf/to-markdown.js';

// A machine that runs other tests is slow: the limit is only for a fault.
const extractor = openArticleExtractor({ pdfTimeLimit: 120_000 });
afterAll(() => extractor.close());

const bytesOf = async (name: string) =>
  new Uint8Array(await readFile(new URL(`./fixtures/pdf/${name}.pdf`, import.meta.url)));
const read = async (name: string) => extractor.extractPdf(await bytesOf(name));

describe('a PDF', () => {
  test('CAP-15: is read as Markdown, with its title, its columns one after the other, and without what its pages repeat', async () => {
    const { title, text, metadata } = await read('lamps');
    expect([title, metadata]).toEqual([
      'Gas Lamps of Harrow Street',
      { published: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ]);
    expect(text).toMatch(/^# Gas Lamps of Harrow Street\n\nFor ninety years .* what came instead of them when/);
    expect(text.match(/^## .*/gm)).toEqual([
      '## Keepers and their ladders',
      '## What a lamp needs',
      '## The last night',
    ]);
    // A paragraph that goes on in the next column, and all 95 sentences in their order.
    expect(text).toContain('carried the ladder home for 4 weeks. In 1895 nobody lit');
    const years = Array.from(text.matchAll(/In (\d{4}) /g), ([, year]) => Number(year));
    expect(years).toEqual(Array.from({ length: 95 }, (_, at) => 1891 + at));
    expect(text).toContain(
      '```\ndef warm(lamp):\n    if lamp.is_cold:\n        lamp.light(2200)\n    return lamp\n```',
    );
    expect(text).toContain('Lamp Gas in a year Keeper  \nNorth corner 48 cubic metres Bert Reed');
    expect(text).toMatch(/On the last night, nobody came with a ladder\.$/);
    expect(text).not.toMatch(/Harrow Street Reports|\d of \d/);
  });

  test('CAP-15: whose pages are turned has the same text', async () => {
    expect((await read('turned')).text).toBe((await read('lamps')).text);
  });

  test('CAP-15: in Japanese has no spaces where its lines end, and what a program wrote as its title is none', async () => {
    const { title, text } = await read('bees');
    expect(title).toBe('蜂の踊り');
    expect(text).toContain('花の場所を仲間に伝える。踊りの向きは太陽に対する方角を示し、長さは距離を示す。仲間は');
  });

  test.each([
    ['of pictures alone', 'picture', /^The PDF has no text: its pages are pictures\./],
    ['with a password', 'protected', /^The PDF is protected by a password\./],
  ])('CAP-15: %s is rejected with the reason', async (_, name, reason) => {
    await expect(read(name)).rejects.toMatchObject({
      code: 'EXTRACTION_FAILED',
      message: expect.stringMatching(reason),
    });
  });

  test('CAP-15: that is cut short or damaged is rejected, or what is left of it is read, and the next one too', async () => {
    const bytes = await bytesOf('lamps');
    for (const damaged of [bytes.slice(0, 500), bytes.slice(0, bytes.length / 2), bytes.map((byte) => byte ^ 1)]) {
      const outcome = await extractor.extractPdf(damaged).catch((error) => error.message);
      expect(outcome).toEqual(
        typeof outcome === 'string'
          ? expect.stringMatching(/^The PDF (?:is damaged|has no text)/)
          : expect.objectContaining({ text: expect.stringContaining('lamp') }),
      );
    }
    expect((await read('lamps')).title).toBe('Gas Lamps of Harrow Street');
  });
});

test('SEC-11: a small PDF that grows to gigabytes is given up, and the next one is read', async () => {
  const careful = openArticleExtractor({ pdfTimeLimit: 120_000, memoryLimit: 200_000_000 });
  try {
    await expect(careful.extractPdf(growingPdf(800_000_000))).rejects.toMatchObject({
      code: 'EXTRACTION_FAILED',
      message: 'It takes too much memory to read.',
    });
    expect((await careful.extractPdf(await bytesOf('bees'))).title).toBe('蜂の踊り');
  } finally {
    await careful.close();
  }
});

/** A PDF whose page is drawn by so many bytes of text, compressed to a thousandth. */
function growingPdf(size: number): Uint8Array {
  const step = deflateRawSync(Buffer.alloc(1_000_000, '0 0 m '), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const steps = Array.from({ length: size / 1_000_000 }, () => step);
  const content = Buffer.concat([Buffer.from([0x78, 0xda]), ...steps, Buffer.from([3, 0])]);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
  ].map((object, at) => Buffer.from(`${at + 1} 0 obj\n${object}\nendobj\n`));
  const head = `4 0 obj\n<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`;
  // Without a table of its objects, which a reader then makes.
  const end = '\nendstream\nendobj\ntrailer << /Size 5 /Root 1 0 R >>\n%%EOF';
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, Buffer.from(head), content, Buffer.from(end)]);
}

describe('the lines of a PDF', () => {
  const line = (text: string, more: Partial<Line> = {}): Line => ({
    ...{ text, page: 1, left: 50, right: 400, y: 700, size: 10, depth: 0.2, isCode: false, isRow: false },
    ...more,
  });
  const joined = (...texts: string[]) => joinHyphens(texts.map((text) => line(text))).map(({ text }) => text);

  test('CAP-15: broken words are joined, and keep a hyphen that they have elsewhere', () => {
    expect(joined('a break-', 'fast, and more')).toEqual(['a breakfast,', 'and more']);
    expect(joined('it is well-known', 'and so well-', 'known that')).toEqual([
      'it is well-known',
      'and so well-known',
      'that',
    ]);
    expect(joined('the years 1990-', '1995', 'North-', 'South')).toEqual([
      'the years 1990-',
      '1995',
      'North-',
      'South',
    ]);
  });

  test('CAP-15: no letter or digit of any lines is lost or moved', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'ab-.1# *_`>[](•Ä東'),
      minLength: 1,
      maxLength: 12,
    });
    const anyLine = fc
      .record({
        text: text.map((one) => one.trim()).filter((one) => one !== ''),
        page: fc.integer({ min: 1, max: 3 }),
        left: fc.integer({ min: 0, max: 300 }),
        y: fc.integer({ min: 0, max: 800 }),
        size: fc.constantFrom(9, 10, 14, 20),
        isCode: fc.boolean(),
        isRow: fc.boolean(),
      })
      .map(({ text, ...more }) => line(text, { ...more, right: more.left + 100 }));
    const lettersOf = (written: string) => written.replace(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 20 }), (lines) => {
        const written = toMarkdown(joinHyphens(lines)).text;
        expect(lettersOf(written)).toBe(lettersOf(lines.map(({ text }) => text).join('')));
      }),
    );
  });
});
