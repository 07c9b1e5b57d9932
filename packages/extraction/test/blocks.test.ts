import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseBlocks, expectedF1 } from '../src/dom/blocks/choose-blocks.js';
import { depthOf } from '../src/dom/blocks/depth-of.js';
import { describeBlocks } from '../src/dom/blocks/describe-blocks.js';
import { findBlocks } from '../src/dom/blocks/find-blocks.js';
import { judgePage, keepText } from '../src/dom/blocks/index.js';
import { judgeBlocks } from '../src/dom/blocks/judge-blocks.js';
import { keepBlocks } from '../src/dom/blocks/keep-blocks.js';
import { describeType } from '../src/dom/blocks/page-type.js';
import { removeThumbnails } from '../src/dom/blocks/thumbnails.js';
import { FEATURES } from '../src/dom/blocks/trees/features.js';
import { KnownText, sizeOf, wordsOf } from '../src/dom/blocks/words.js';
import { parsePage } from '../src/parse-page.js';

const parse = (body: string) => parsePage(`<html><head><title>Lamps</title></head><body>${body}</body></html>`);
const textsOf = (body: string) => findBlocks(parse(body).body).map(({ text }) => text);

describe('the division of a page into blocks', () => {
  test('takes a paragraph, an item, a line of links, and text beside other blocks for one block each', () => {
    expect(
      textsOf(
        `<h1>Lamps</h1><nav><a href="/a">Home</a><a href="/b">Shop</a></nav>
        <div>Loose <b>text</b><p>A  paragraph<br>of two lines</p>more</div><ul><li>One</li><li>Two</li></ul>`,
      ),
    ).toEqual(['Lamps', 'Home Shop', 'Loose text', 'A paragraph of two lines', 'more', 'One', 'Two']);
  });

  test('keeps code and a table of figures whole, and divides a table that lays out a page', () => {
    const figures = '<table><tr><th>Oil</th><th>Hours</th></tr><tr><td>Whale</td><td>9</td></tr></table>';
    const prose =
      'The lamps were lit by hand for ninety years, each by its own keeper, who lived beside it and knew its flame by name.';
    expect(textsOf(`<pre><span>let a;</span>\n<div>let b;</div></pre>${figures}`)).toEqual([
      'let a; let b;',
      'Oil Hours Whale 9',
    ]);
    expect(
      textsOf(
        `<table><tr><td>Menu</td><td><p>${prose}</p>${prose}</td></tr><tr><td>Links</td><td>${prose}</td></tr></table>`,
      ),
    ).toEqual(['Menu', prose, prose, 'Links', prose]);
  });

  test('counts the words of links, of a link around blocks as well', () => {
    const sizes = (body: string) => findBlocks(parse(body).body).map(({ size, linkSize }) => [size, linkSize]);
    expect(sizes('<p>See <a href="/a">the lamps</a></p>')).toEqual([[3, 2]]);
    expect(sizes('<a href="/a"><div><h2>The lamps</h2><p>Lit by hand</p></div></a>')).toEqual([
      [2, 2],
      [3, 3],
    ]);
  });

  test('loses no word of a page, and finds none twice', () => {
    const inline = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.stringMatching(/^[a-z]{1,5}$/).map((word) => ` ${word} `),
        fc
          .tuple(
            fc.constantFrom('div', 'p', 'span', 'li', 'b', 'section', 'td', 'x-card'),
            fc.array(tie('node'), { maxLength: 3 }),
          )
          .map(([name, parts]) => `<${name}>${parts.join('')}</${name}>`),
      ),
    }));
    fc.assert(
      fc.property(inline.node, (html) => {
        const { body } = parse(`<div>${html}</div>`);
        const found = findBlocks(body).flatMap(({ words }) => words);
        expect(found.sort()).toEqual(wordsOf(body.textContent ?? '').sort());
      }),
    );
  });
});

describe('the choice of blocks', () => {
  const judged = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 50 }), probability: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  );

  test('half of the best F1 that can be expected is the limit that reaches it', () => {
    fc.assert(
      fc.property(judged, (blocks) => {
        const all = blocks.reduce((sum, { size, probability }) => sum + size * probability, 0);
        const f1 = (isChosen: (place: number) => boolean) => {
          const chosen = blocks.filter((_, place) => isChosen(place));
          const size = chosen.reduce((sum, block) => sum + block.size, 0);
          const right = chosen.reduce((sum, block) => sum + block.size * block.probability, 0);
          return size + all === 0 ? 0 : (2 * right) / (size + all);
        };
        const best = Math.max(
          ...Array.from({ length: 2 ** blocks.length }, (_, set) => f1((place) => ((set >> place) & 1) === 1)),
        );
        expect(expectedF1(blocks)).toBeCloseTo(best, 9);
        expect(f1((place) => (blocks[place]?.probability ?? 0) >= best / 2)).toBeCloseTo(best, 9);
      }),
    );
  });

  test('a block of an article has to be more probable than a block of another page, and there less if another extractor found it', () => {
    const certain = { size: 100, probability: 0.98, isAgreed: true, isPart: false, isQuoted: false, isFootnote: false };
    const chooses = (probability: number, isArticle: boolean, isAgreed = false) =>
      chooseBlocks(
        [certain, { size: 1, probability, isAgreed, isPart: false, isQuoted: false, isFootnote: false }],
        isArticle,
      )[1];
    expect([chooses(0.55, true), chooses(0.55, false)]).toEqual([false, true]);
    expect([chooses(0.7, true), chooses(0.45, false)]).toEqual([true, false]);
    expect([chooses(0.31, true, true), chooses(0.31, false, true)]).toEqual([false, true]);
  });

  test('a headline directly before the text needs less, except on an article', () => {
    const block = { size: 100, probability: 0.98, isAgreed: false, isPart: false, isQuoted: false, isFootnote: false };
    const headline = { ...block, size: 1, probability: 0.3, isPart: true };
    const menu = { ...headline, isPart: false };
    expect(chooseBlocks([headline, block])).toEqual([true, true]);
    expect(chooseBlocks([headline, block], true)).toEqual([false, true]);
    expect(chooseBlocks([headline, menu, block])).toEqual([false, false, true]);
  });

  test('blocks that another extractor found between chosen blocks stay, and so do their footnotes', () => {
    const block = (probability: number, isAgreed = false, isPart = false, isFootnote = false) => ({
      size: 10,
      probability,
      isAgreed,
      isPart,
      isQuoted: false,
      isFootnote,
    });
    const choose = (...blocks: ReturnType<typeof block>[]) => chooseBlocks(blocks).map(Number).join('');
    const text = block(0.99);
    const term = block(0, true, true);
    const note = block(0, true, false, true);
    const menu = block(0);
    expect(choose(menu, term, text, term, block(0, false, true), text, term, note)).toBe('00110101');
    expect(choose(text, block(0.3, true), block(0.3), block(0.01, true), text)).toBe('11001');
    expect(choose(block(0.2, true), text, block(0.2, true), menu, block(0.2, true), menu, menu, block(0.2, true))).toBe(
      '01101000',
    );
  });

  test('none is chosen if any choice would be a guess', () => {
    const improbable = { size: 10, probability: 0.1, isAgreed: true, isPart: true, isQuoted: false, isFootnote: true };
    expect(chooseBlocks([improbable, improbable])).toEqual([false, false]);
  });

  test('a short piece is in a text only with the words beside it', () => {
    const known = new KnownText('The lamps. Oil. Each keeper buys whale oil.');
    expect(known.sharesOf([['the', 'lamps'], ['oil'], ['each', 'keeper', 'buys', 'whale', 'oil']])).toEqual([1, 1, 1]);
    expect(known.sharesOf([['home'], ['oil'], ['shop', 'now'], ['buys', 'whale', 'oil'], ['us']])).toEqual([
      0,
      0,
      0,
      expect.closeTo(1 / 2),
      0,
    ]);
  });

  test('a piece of a text is in it wholly, and a text without its words not at all', () => {
    const word = fc.constantFrom('lamp', 'oil', 'wick', 'the', '橋', '霧', 'né');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.nat(), fc.nat(), (words, from, to) => {
        const text = words.join(' ');
        const piece = words.slice(from % words.length, (from % words.length) + 1 + (to % words.length));
        const [share] = new KnownText(`a lamp ${text} of oil`).sharesOf([wordsOf(piece.join(' '))]);
        expect(share).toBe(piece.length < 3 ? 0 : 1);
        expect(new KnownText(text).sharesOf([words.map((part) => `x${part}`)])).toEqual([0]);
      }),
    );
    expect(sizeOf(wordsOf('霧見橋の灯 lamps'))).toBe(3.5);
  });
});

describe('the extracted text of a page', () => {
  const keep = (html: string, isKept: (text: string) => boolean) => {
    const { body } = parse(html);
    const blocks = findBlocks(body);
    keepBlocks(
      body,
      blocks,
      blocks.map(({ text }) => isKept(text)),
    );
    return body.innerHTML;
  };

  test('has the chosen blocks, with their lists and tables and without empty elements', () => {
    expect(
      keep(
        '<nav><ul><li><a href="/">out</a></li></ul></nav><ul><li>in</li><li><i class="icon"></i>out</li></ul><table><tr><td>out</td><td>in<p>in</p></td></tr></table>',
        (text) => text === 'in',
      ),
    ).toBe('<ul><li>in</li></ul><table><tr><td></td><td>in<p>in</p></td></tr></table>');
  });

  test('includes an element without words if it is between chosen blocks and beside one of them', () => {
    const pictures = keep(
      '<img id="1"><p>in</p><figure><img id="2"></figure><p>in</p><p>* * *</p><p>out</p><img id="3"><p>out</p><p>in</p><img id="4">',
      (text) => text === 'in',
    );
    const own = parse('<h1>out</h1><img src="/a.jpg"><p>in</p><img src="/b.jpg"><nav>out</nav>').body;
    keepBlocks(own, findBlocks(own), [false, true, false], ['https://x.example/a.jpg?w=300']);
    expect(own.innerHTML).toBe('<img src="/a.jpg"><p>in</p>');
    expect([...pictures.matchAll(/id="(\d)"/g)].map(([, id]) => id)).toEqual(['2']);
    expect(pictures).toContain('<p>* * *</p>');
  });

  test('takes an item of which only an inner list is left for that list', () => {
    expect(
      keep(
        '<ul><li><a href="/">out</a><ul><li>in</li></ul></li><li>in<ul><li>in</li></ul></li></ul>',
        (text) => text === 'in',
      ),
    ).toBe('<ul><li>in</li><li>in<ul><li>in</li></ul></li></ul>');
  });

  test('a card does not repeat its title, and a linked picture keeps its description', () => {
    const { body } = parse(
      '<a href="/1"><img alt="Oil lamp"></a><a href="/1"><img alt="A picture of oil lamp, 9 hours"></a><h3><a href="/1">Oil lamp, 9 hours</a></h3><a href="/1.jpg"><img alt="A lamp at night"></a>',
    );
    removeThumbnails(body);
    expect([...body.querySelectorAll('img')].map((picture) => picture.getAttribute('alt'))).toEqual([
      'A lamp at night',
    ]);
  });
});

describe('the judgement of a page', () => {
  const prose = (about: string) =>
    `<p>The ${about} of the harbour were lit by hand for ninety years, each by its own keeper, who lived beside it and knew its flame.</p>`;

  test('describes every feature that the trees ask for, as a number, on a page of one block as well', () => {
    for (const body of [
      prose('lamps'),
      `<article><h2>Oil</h2>${prose('lamps').repeat(5)}</article><footer>© Lamps 2026</footer>`,
    ]) {
      const page = parse(body);
      const blocks = findBlocks(page.body);
      const descriptions = describeBlocks(page, page.body, blocks, 'https://lamps.example/');
      for (const description of descriptions)
        for (const feature of FEATURES) expect(description[feature], feature).toSatisfy(Number.isFinite);
      for (const probability of judgeBlocks(descriptions).probabilities) {
        expect(probability).toBeGreaterThan(0);
        expect(probability).toBeLessThan(1);
      }
    }
  });

  test('tells an article from a page of a shop by its metadata and address', () => {
    const typeOf = (head: string, url: string) =>
      describeType(parsePage(`<html><head>${head}</head><body></body></html>`), url);
    const data = (type: string) => `<script type="application/ld+json">{"@type":"${type}"}</script>`;
    expect(typeOf(data('NewsArticle'), 'https://lamps.example/2026/11/keepers-of-the-harbour')).toMatchObject({
      typeArticle: 1,
      typeProduct: 0,
      urlDepth: 3,
      urlHyphens: 3,
      urlYear: 1,
    });
    expect(typeOf('<meta property="og:type" content="product">', 'https://lamps.example/p/12.html?a=1')).toMatchObject({
      typeArticle: 0,
      typeProduct: 1,
      urlDigits: 2,
      urlFile: 1,
      urlQuery: 1,
    });
    expect(typeOf('', 'no address')).toMatchObject({ typeArticle: 0, urlDepth: 0 });
  });

  test('asks Readability, and describes where its text begins and ends', () => {
    const page = parse(
      `<div class="text">${prose('lamps').repeat(6)}</div><ul><li><a href="/a">More of lamps</a></li></ul>`,
    );
    const described = describeBlocks(page, page.body, findBlocks(page.body), 'https://lamps.example/');
    expect(described.map(({ found }) => Math.round(found ?? 0))).toEqual([1, 1, 1, 1, 1, 1, 0]);
    expect(described.map(({ sinceLastLong }) => sinceLastLong)).toEqual([-5, -4, -3, -2, -1, 0, 1]);
    expect(page.body.querySelectorAll('p')).toHaveLength(6);
  });

  test('does not change the page, and does not judge a small one', () => {
    const page = parse(`<button>Menu</button>${prose('lamps').repeat(20)}`);
    const before = page.body.innerHTML;
    const judged = judgePage(page, 'https://lamps.example/');
    const other = { title: '', text: '', footnotes: '', pictures: [] };
    const kept = judged === null ? null : keepText(judged, other, 'https://lamps.example/');
    expect(kept?.text.textContent).toContain('lit by hand');
    expect(page.body.innerHTML).toBe(before);
    expect(judgePage(parse(prose('lamps')), 'https://lamps.example/')).toBeNull();
  });

  test('passes over a page that is nested deeper than a stack has room for', () => {
    const nested = (levels: number) =>
      `${'<div>'.repeat(levels)}${prose('lamps').repeat(20)}${'</div>'.repeat(levels)}`;
    expect(judgePage(parse(nested(10)), 'https://lamps.example/')).not.toBeNull();
    expect(judgePage(parse(nested(20_000)), 'https://lamps.example/')).toBeNull();
    expect(depthOf(parse('<div><p>a<b>b</b></p></div><p>c</p>').body)).toBe(4);
  });
});
