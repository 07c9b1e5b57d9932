import { readFile } from 'node:fs/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { openArticleExtractor } from '@recollect/extraction';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { removeFurniture } from '../src/pdf/furniture.js';
import { joinHyphens } from '../src/pdf/join-hyphens.js';
import { type Line, linesOf, type Piece } from '../src/pdf/lines.js';
import { toMarkdown } from '../src/pdf/to-markdown.js';

// A machine that runs other tests is slow: the limit is only for a fault.
const extractor = openArticleExtractor({ pdfTimeLimit: 120_000 });
afterAll(() => extractor.close());

const bytesOf = async (name: string) =>
  new Uint8Array(await readFile(new URL(`./fixtures/pdf/${name}.pdf`, import.meta.url)));
const read = async (name: string) => extractor.extractPdf(await bytesOf(name));

describe('a PDF', () => {
  test('CAP-15: is read as Markdown, with its title, its columns one after the other, and without its headers and footers', async () => {
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
    // A paragraph that continues in the next column, and all 95 sentences in their order.
    expect(text).toContain('carried the ladder home for 4 weeks. In 1895 nobody lit');
    const years = Array.from(text.matchAll(/In (\d{4}) /g), ([, year]) => Number(year));
    expect(years).toEqual(Array.from({ length: 95 }, (_, at) => 1891 + at));
    expect(text).toContain(
      '```\ndef warm(lamp):\n    if lamp.is_cold:\n        lamp.light(2200)\n    return lamp\n```',
    );
    expect(text).toContain('Lamp Gas in a year Keeper  \nNorth corner 48 cubic metres Bert Reed');
    expect(text).toMatch(/On the last night, nobody came with a ladder\.\n\nHarrow Street Reports, no\. 7$/);
    expect(text.match(/Harrow Street Reports/g)).toHaveLength(1);
    expect(text).not.toMatch(/\d of \d/);
  });

  test('CAP-15: whose pages are turned has the same text', async () => {
    expect((await read('turned')).text).toBe((await read('lamps')).text);
  });

  test('CAP-15: in Japanese has no spaces where its lines end, and ignores a title that a program made up', async () => {
    const { title, text } = await read('bees');
    expect(title).toBe('蜂の踊り');
    expect(text).toContain('花の場所を仲間に伝える。踊りの向きは太陽に対する方角を示し、長さは距離を示す。仲間は');
  });

  test.each([
    ['of pictures only', 'picture', /^The PDF has no text: its pages are pictures\./],
    ['with a password', 'protected', /^The PDF is protected by a password\./],
  ])('CAP-15: %s is rejected with the reason', async (_, name, reason) => {
    await expect(read(name)).rejects.toMatchObject({
      code: 'EXTRACTION_FAILED',
      message: expect.stringMatching(reason),
    });
  });

  test('CAP-15: that is truncated or damaged is rejected or read in part, and the next one is read', async () => {
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

test('CAP-15: a page that cannot be read is named in a warning, and the others are read', async () => {
  expect(await read('second-page-damaged')).toMatchObject({
    text: 'Lamps of the harbour',
    warning: 'The PDF is damaged: its text lacks page 2.',
  });
});

test('SEC-11: a small PDF that grows to gigabytes is given up, and the next one is read', async () => {
  const careful = openArticleExtractor({ pdfTimeLimit: 120_000, memoryLimit: 200_000_000 });
  try {
    await expect(careful.extractPdf(growingPdf(800_000_000))).rejects.toMatchObject({
      code: 'EXTRACTION_FAILED',
      message: expect.stringMatching(/^It takes too much memory to read\./),
    });
    expect((await careful.extractPdf(await bytesOf('bees'))).title).toBe('蜂の踊り');
  } finally {
    await careful.close();
  }
});

test('SEC-11: fields of a form are saved once each with their names, and neither passwords nor buttons are', async () => {
  const { text } = await extractor.extractPdf(
    pdfOf(
      'BT /F1 11 Tf 72 740 Td (Order of lamps) Tj ET',
      [
        '/FT /Tx /T (keeper) /TU (Name of the keeper) /V (Ida Kern)',
        '/FT /Tx /T (form1[0].#subform[0].street[0]) /V (Harrow Street 7)',
        '/FT /Tx /Ff 8192 /T (secret) /V (hunter2)',
        '/FT /Btn /Ff 65536 /T (send) /V (Send it now)',
        '/FT /Btn /T (wick) /V /Yes /AS /Yes',
        '/FT /Btn /T (oil) /V /Off /AS /Off',
        '/FT /Ch /Ff 131072 /T (glass) /Opt [[(c) (Clear)] [(r) (Red)]] /V (r)',
        '/FT /Tx /T (keeper) /TU (Name of the keeper) /V (Ida Kern)',
        '/FT /Tx /F 2 /T (hidden) /V (Not for readers)',
        ...['brass', 'iron'].map((state) => `/Parent 20 0 R /AP << /N << /${state} 21 0 R /Off 21 0 R >> >> /AS /Off`),
      ],
      {
        20: '<< /FT /Btn /Ff 32768 /T (metal) /V /brass >>',
        21: '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream',
      },
    ),
  );
  expect(text.split(/ *\n+/)).toEqual([
    'Order of lamps',
    'Name of the keeper: Ida Kern',
    'street: Harrow Street 7',
    'wick: Yes',
    'glass: Red',
    'metal: brass',
  ]);
});

test.each([
  ['by the spacing of letters', '5 Tc (THE HARBOUR) Tj', 'THE HARBOUR'],
  ['by little spacing', '2 Tc (THE HARBOUR) Tj', 'THE HARBOUR'],
  ['by wide spacing', '11 Tc (THE HARBOUR) Tj', 'THE HARBOUR'],
  ['by moves', '[(H) -250 (A) -250 (R) -250 (B) -260 (O) -900 (L) -250 (A) -240 (M) -250 (P)] TJ', 'HARBO LAMP'],
  ['letter by letter', '(H) Tj 17 0 Td (A) Tj 16 0 Td (R) Tj 17 0 Td (B) Tj 30 0 Td (A) Tj 16 0 Td (T) Tj', 'HARB AT'],
  ['in a part of a line', '4 Tc (LAMPS:) Tj 0 Tc ( a list of them) Tj', 'LAMPS: a list of them'],
  ['with spaces, which are words', '(A B C D E) Tj', 'A B C D E'],
])('CAP-15: joins the letters of a heading that are set apart %s', async (_, drawn, heading) => {
  const content = `BT /F1 18 Tf 72 740 Td ${drawn} ET BT /F1 11 Tf 0 Tc 72 700 Td (Its lamps were lit by hand for ninety years.) Tj ET`;
  const { title, text } = await extractor.extractPdf(pdfOf(content));
  expect([title, text.split('\n')[0]]).toEqual([heading, `# ${heading}`]);
});

/** A PDF of one page, with its content stream, the fields of a form, and other objects by their numbers. */
function pdfOf(
  content: string,
  fields: readonly string[] = [],
  others: Readonly<Record<number, string>> = {},
): Uint8Array {
  const widgets = fields.map((field, at): [number, string] => [
    30 + at,
    `<< /Type /Annot /Subtype /Widget /Rect [72 ${600 - 20 * at} 200 ${612 - 20 * at}] ${field} >>`,
  ]);
  const references = widgets.map(([number]) => `${number} 0 R`).join(' ');
  const objects: Record<number, string> = {
    1: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${references}] >> >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R /Annots [${references}] >>`,
    4: `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...others,
    ...Object.fromEntries(widgets),
  };
  const body = Object.entries(objects).map(([number, object]) => `${number} 0 obj\n${object}\nendobj\n`);
  // Without a table of its objects, which a reader then makes.
  return new Uint8Array(Buffer.from(`%PDF-1.7\n${body.join('')}trailer << /Size 90 /Root 1 0 R >>\n%%EOF`));
}

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

/** A line of a page, at a depth of so many lines of twelve points. */
const line = (text: string, more: Partial<Line> = {}): Line => ({
  ...{ text, page: 1, left: 50, right: 400, y: 700, size: 10, depth: 0.2, isCode: false, isRow: false },
  ...more,
});

describe('headers and footers of a PDF', () => {
  /** Pages with a text of 40 lines between header and footer. */
  const pagesOf = (count: number, edges: (page: number) => { top?: Partial<Line>; bottom?: Partial<Line> }) =>
    Array.from({ length: count }, (_, at) => {
      const page = at + 1;
      const place = (y: number) => ({ page, y, depth: (800 - y) / 800 });
      const { top, bottom } = edges(page);
      return [
        ...(top === undefined ? [] : [line('', { ...place(770), ...top })]),
        ...Array.from({ length: 40 }, (_, row) => line(`Payment ${page}.${row} to a shop 0.00`, place(730 - row * 12))),
        ...(bottom === undefined ? [] : [line('', { ...place(30), ...bottom })]),
      ];
    });
  const removedOf = (pages: Line[][]) => {
    const kept = removeFurniture(pages);
    return pages.flat().flatMap((one) => (kept.includes(one) ? [] : [one.text]));
  };
  const isUnchanged = (pages: Line[][]) => expect(removeFurniture(pages)).toEqual(pages.flat());

  test('CAP-15: numbers of pages and running titles go, and the first title stays', () => {
    const edges = (page: number) => ({ top: { text: 'The Lamps of Lampton' }, bottom: { text: `Page ${page} of 5` } });
    expect(removedOf(pagesOf(5, edges))).toEqual([
      'Page 1 of 5',
      ...[2, 3, 4, 5].flatMap((page) => ['The Lamps of Lampton', `Page ${page} of 5`]),
    ]);
    expect(
      removedOf(pagesOf(4, (page) => ({ top: { text: `Lamps of the Harbour, May 2024 ${page + 10}` } }))),
    ).toHaveLength(3);
    const preface = pagesOf(4, (page) => ({ bottom: { text: ['i', 'ii', 'iii', 'iv'][page - 1] ?? '' } }));
    expect(removedOf(preface)).toEqual(['i', 'ii', 'iii', 'iv']);
  });

  test('CAP-15: rows that are alike, headings that count, and years stay', () => {
    isUnchanged(pagesOf(6, () => ({})));
    isUnchanged(pagesOf(6, (page) => ({ top: { text: `${1989 + page}`, size: 18 } })));
    isUnchanged(pagesOf(6, (page) => ({ top: { text: `Lesson ${page}`, size: 24 } })));
    isUnchanged(pagesOf(6, (page) => ({ top: { text: `Question ${page}` } })));
    isUnchanged(pagesOf(6, (page) => ({ top: { text: `§ ${page} of this contract says what the keeper shall do` } })));
    const titled = (page: number) => ({ top: { text: 'The Lamps of Lampton', size: page === 1 ? 24 : 9 } });
    expect(removeFurniture(pagesOf(4, titled))[0]?.text).toBe('The Lamps of Lampton');
  });
});

describe('the lines of a PDF', () => {
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
    const apart = [
      'short-',
      'and long-term',
      'Ein-',
      'und Ausgabe',
      'https://lamps.example/oil-',
      'and-wick',
      '--sort-',
      'by',
    ];
    expect(joined(...apart)).toEqual(apart);
  });

  const piece = (text: string, x: number, more: Partial<Piece> = {}): Piece => ({
    ...{ text, x, y: 700, width: text.length * 5, size: 10, turns: 0, isCode: false },
    ...more,
  });
  const box = { page: 1, left: 0, bottom: 0, right: 600, top: 800 };
  const texts = (...pieces: Piece[]) => linesOf(pieces, box).map(({ text }) => text);

  test('CAP-15: exponents stay exponents, and a small line below a large one is another line', () => {
    expect(texts(piece('5 m', 50), piece('2', 65, { y: 704, size: 6, width: 3 }), piece(' of it', 68))).toEqual([
      '5 m² of it',
    ]);
    const large = piece('Q3', 50, { size: 40, width: 50 });
    expect(texts(large, piece('Results of the quarter', 50, { y: 680, size: 12 }))).toEqual([
      'Q3',
      'Results of the quarter',
    ]);
  });

  test('CAP-15: Arabic and Hebrew are in reading order, with numbers and names unchanged', () => {
    const letters = (word: string, from: number) =>
      Array.from(word, (letter, at) => piece(letter, from - at * 5, { width: 5 }));
    // As a browser prints them: letter by letter from the left, in the forms of their places.
    expect(texts(...letters('ﻣﺼﺒﺎﺡ', 100).reverse())).toEqual(['مصباح']);
    const mixed = [piece('.', 46), piece('John Smith', 50), piece('כתב', 105), piece('1984', 125), piece('בשנת', 150)];
    expect(texts(...mixed)).toEqual(['בשנת 1984 כתב John Smith.']);
  });

  test('CAP-15: signs of Markdown are text', () => {
    const lines = [
      '# Item Qty',
      '5~10 V and 6~12 A',
      'the __init__ of it',
      'Write &lt;b&gt; here',
      '1. Oil',
      '- Discount',
    ];
    const { text } = toMarkdown(lines.map((one, at) => line(one, { isRow: true, y: 700 - at * 12 })));
    expect(text).toBe(
      '\\# Item Qty  \n5\\~10 V and 6\\~12 A  \nthe \\_\\_init\\_\\_ of it  \nWrite \\&lt;b\\&gt; here  \n1\\. Oil  \n\\- Discount',
    );
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
