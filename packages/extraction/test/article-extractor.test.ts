import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openArticleExtractor } from '@recollect/extraction';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { LISTING, PRODUCT, SERVICE } from './fixtures/pages.js';

// A machine that runs other tests is slow: the limit is only for a fault.
const extractor = openArticleExtractor({ timeLimit: 120_000 });
afterAll(() => extractor.close());

const PAGE = `<!doctype html><html lang="de"><head><title>Brot | Bäckerei</title><meta name="author" content="Jo Müller">
<meta property="og:site_name" content="Bäckerei"><script>window.tracked = true</script></head>
<body><nav><a href="/">Start</a><a href="/shop">Shop</a></nav><main><article><h1>Brot</h1>
<p>Sauerteig braucht Mehl, Wasser und Salz, und eine lange Nacht Ruhe, in der er seine Arbeit tut.</p>
<h2>Backen</h2><ol><li>Ofen heizen</li><li>Backen</li></ol><pre><code class="language-js">let heat = 250;</code></pre>
<table><tr><th>Mehl</th><th>g</th></tr><tr><td>Roggen</td><td>500</td></tr></table></article></main>
<aside class="ad">Jetzt kaufen!</aside><footer>Impressum</footer></body></html>`;

describe('the article extractor', () => {
  test('CAP-2: keeps the article as Markdown and leaves the rest of the page out', async () => {
    const article = await extractor.extract(PAGE, 'https://brot.example/sauerteig');
    expect(article.title).toMatch(/^Brot/);
    for (const kept of [
      'Sauerteig braucht Mehl',
      '## Backen',
      '1. Ofen heizen',
      'let heat = 250;',
      '| Roggen | 500 |',
    ]) {
      expect(article.text).toContain(kept);
    }
    for (const left of ['Shop', 'Jetzt kaufen', 'Impressum', 'tracked', '<']) expect(article.text).not.toContain(left);
    expect(article.metadata).toMatchObject({ author: 'Jo Müller', siteName: 'Bäckerei', language: 'de' });
  });

  test('CAP-21: keeps all text of a page if it is asked to', async () => {
    const { title, text } = await extractor.extract(PAGE, 'https://brot.example/sauerteig', { scope: 'page' });
    expect(title).toMatch(/^Brot/);
    for (const kept of ['Shop', 'Sauerteig braucht Mehl', '## Backen', 'Jetzt kaufen', 'Impressum'])
      expect(text).toContain(kept);
    expect(text).not.toMatch(/tracked|</);
  });

  test('CAP-2: reads a page that is there for browsers without scripts only, and one with marks of XML', async () => {
    const posts = '<p>My starter does not rise.</p><p>Keep it warmer: at 26 degrees it rises twice as fast.</p>';
    const splash = '<section><div class="dots">Loading …</div></section>';
    const forum = await extractor.extract(
      `<body>${splash}<noscript data-path="/t/1"><main>${posts}</main></noscript></body>`,
      null,
    );
    expect(forum.text).toContain('Keep it warmer');
    const shop = await extractor.extract(
      `<body><main>${posts}</main><noscript>Turn scripts on.</noscript></body>`,
      null,
    );
    expect(shop.text).not.toContain('scripts');
    const xml = await extractor.extract(`<body><![CDATA[<div id="top"></div>]]><main>${posts}</main></body>`, null);
    expect(xml.text).toMatch(/^My starter.*\n\nKeep it warmer.*$/);
  });

  test('CAP-2: reads pages whose tags of html, head and body are left out, as HTML allows', async () => {
    const text = '<h1>Bread</h1><p>My starter does not rise.<p>Keep it warmer: at 26 degrees it rises twice as fast.';
    const head = '<meta charset=utf-8><title>Warm bread</title><meta name=author content="Jo Field">';
    for (const page of [
      `<!doctype html><html lang=en>${head}${text}`,
      `<!doctype html><html lang=en><head>${head}</head>${text}</html>`,
      `<!doctype html><html lang=en><head>${head}${text}`,
      `<!doctype html>${head}${text}`,
      `<!doctype html>${head}<body class=page>${text}`,
      `<!doctype html><head>${head}</head><body>${text}</body>`,
      `<!-- saved --><html lang=en>${head}<body>${text}</body></html>`,
      `<script>window.tracked = true</script><html lang=en><head>${head}</head><body>${text}</body></html>`,
    ]) {
      const article = await extractor.extract(page, 'https://bread.example/warm');
      expect(article, page).toMatchObject({ title: 'Warm bread', metadata: { author: 'Jo Field' } });
      expect(article.metadata.language, page).toBe(page.includes('lang=en') ? 'en' : undefined);
      expect(article.text, page).toMatch(/My starter does not rise\.\n\nKeep it warmer/);
      expect(article.text, page).not.toMatch(/tracked|Warm bread/);
    }
  });

  test('CAP-2: reads lists, products and services, whose text is not an article, and leaves out their surroundings', async () => {
    const read = async (html: string) => (await extractor.extract(html, 'https://lamplight.example/')).text;
    const [listing, product, service] = await Promise.all([read(LISTING), read(PRODUCT), read(SERVICE)]);
    for (const kept of ['[Harbour lantern](', 'A storm-proof lantern', '£84.00', 'A row house of stoneware', '£22.00'])
      expect(listing).toContain(kept);
    expect(listing.split('Harbour lantern')).toHaveLength(2);
    // The title is saved beside the text.
    expect(listing).toMatch(/^- ### \[Harbour lantern\]/);
    for (const kept of ['Hangs level in any swell', '- Burns for eleven hours', 'pilot cutters', '| Weight | 1.9 kg |'])
      expect(product).toContain(kept);
    for (const kept of ['back to light', 'Soot, verdigris', 'blown again', '1. Send us four', 'every step, and polish'])
      expect(service).toContain(kept);
    for (const text of [listing, product, service])
      for (const left of [
        'Workshops',
        'Basket',
        'Filter by',
        'Next page',
        'also like',
        'Careers',
        'rights reserved',
        'cookies',
      ])
        expect(text).not.toContain(left);
  });

  test('CAP-2: keeps the small parts of a long page: formulas, terms, code, tables, captions, footnotes and words in unknown elements', async () => {
    const prose = (about: string) =>
      `<p>The ${about} of the harbour were lit by hand for ninety years, each by its own keeper, who lived beside it and knew its flame by name. In winter they burned from three in the afternoon.</p>`;
    const { text } = await extractor.extract(
      `<html><head><title>Lamps</title></head><body><nav><a href="/">Home</a><a href="/shop">Shop</a></nav><article><h1>Lamps</h1>${prose('lamps').repeat(4)}
<p>Its light is <math><semantics><mrow><mi>I</mi></mrow><annotation encoding="application/x-tex">I=1</annotation></semantics></math>, as the <st1:place>Kent</st1:place> <button>lamps</button> show.<sup class="reference"><a href="#note-1">[1]</a></sup></p>
<h2>Parts<br>of a lamp<span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2><dl><dt>Font</dt><dd>Holds the oil.</dd><dt>Wick</dt><dd>Draws it.</dd></dl>
<pre><code class="language-sh">trim --wick
light</code></pre><table><tr><th>Oil</th><th>Hours</th></tr><tr><td>Whale</td><td>9</td></tr></table>
<figure><img src="/lamp.jpg" alt="A lamp"><figcaption>A lamp at night</figcaption></figure>${prose('beacons').repeat(3)}<p style="color: red; display: none">Not for readers.</p>
<p>* * *</p>${prose('buoys')}<ol class="references"><li id="note-1">Keeper Dunham, 1931.</li></ol></article><footer>© Harbour</footer></body></html>`,
      'https://lamps.example/',
    );
    for (const kept of [
      'Its light is $I=1$, as the Kent lamps show.',
      '## Parts of a lamp\n',
      'Font',
      'Wick',
      'trim --wick\nlight',
      '| Whale | 9 |',
      '![](https://lamps.example/lamp.jpg "A lamp at night")',
      'Keeper Dunham',
    ])
      expect(text).toContain(kept);
    for (const left of ['Shop', 'edit', 'Not for readers', '© Harbour']) expect(text).not.toContain(left);
  });

  test('CAP-2: the title is the headline of the page, and not the name of its site', async () => {
    const page = (title: string, headline: string, head = '') =>
      `<html><head><title>${title}</title>${head}</head><body><main><h1>${headline}</h1>
      <p>A request that fails is sent again, three times at most, each time after twice as long a pause.</p></main></body></html>`;
    const read = async (...given: Parameters<typeof page>) => {
      const { title, metadata } = await extractor.extract(page(...given), 'https://queuey.example/retries');
      return [title, metadata.siteName ?? ''];
    };
    expect(await read('Retries | Queuey docs', 'Retries')).toEqual(['Retries', 'Queuey docs']);
    expect(await read('Queuey docs · Retries', 'Retries')).toEqual(['Retries', 'Queuey docs']);
    expect(await read('Errors · Stripe API docs', 'Errors')).toEqual(['Errors', 'Stripe API docs']);
    expect((await read('How to steep tea | Queuey', 'Steeping'))[0]).toBe('How to steep tea');
    const author = '<meta name="author" content="Hanako Yamada">';
    expect((await read('Retries', 'Retries', author))[1]).toBe('');
    expect(
      (await read('Retries', 'Retries', `${author}<meta property="og:site_name" content="Hanako Yamada">`))[1],
    ).toBe('Hanako Yamada');
  });

  const titleOf = async (
    title: string,
    body: string,
    { head = '', url = 'https://lamps.example/book/ch2.html' } = {},
  ) => {
    const prose =
      '<p>Every lamp of the harbour has a keeper, who lights it at dusk and writes down what it burned.</p>';
    const html = `<html><head><title>${title}</title>${head}</head><body>${body}${prose.repeat(3)}</body></html>`;
    return (await extractor.extract(html, url)).title;
  };

  test('CAP-20: the title lacks the name of the site, which the page tells in several ways', async () => {
    const named = 'Lighting - The Keeper Handbook';
    const main = '<main><h1>How to light it</h1></main>';
    expect(await titleOf(named, `<h1>The Keeper Handbook</h1><main><h1>Lighting</h1></main>`)).toBe('Lighting');
    // The headline of the content may be one of a part of the page.
    const asked = (answer: string) =>
      `<h1><a href="/book/ch2.html">How is a lamp lit?</a></h1><main><h1>${answer}</h1></main>`;
    const question = { head: '<meta property="og:title" content="How is a lamp lit?">' };
    for (const answer of ['Your answer', 'Lamps'])
      expect(await titleOf('lamps - How is a lamp lit? - Ask Keepers', asked(answer), question)).toBe(
        'How is a lamp lit?',
      );
    expect(await titleOf(named, `<nav><a href="index.html">The Keeper Handbook</a></nav>${main}`)).toBe('Lighting');
    expect(await titleOf(named, `<nav><a href="/">The Keeper Handbook</a></nav>${main}`)).toBe('Lighting');
    const head = '<meta property="og:site_name" content="The Keeper Handbook">';
    expect(await titleOf(named, main, { head })).toBe('Lighting');
    const url = 'https://docs.python.example/3/library/json.html';
    expect(await titleOf('json — A codec — Python 3.12.1 documentation', '<h1>json — A codec¶</h1>', { url })).toBe(
      'json — A codec',
    );
    const manual = { url: 'https://dev.mysql.example/doc/refman/optimization.html' };
    expect(await titleOf('MySQL :: MySQL 8.0 Reference Manual :: Optimization', '', manual)).toBe('Optimization');
  });

  test('CAP-20: two pages of one manual have their own titles', async () => {
    const chapters = ['Oil', 'Wicks and their care'];
    const heads = ['', '<meta property="og:title" content="The Keeper Handbook of Lamps">'];
    for (const head of heads)
      for (const body of ['', '<h2>Start here</h2>', '<h1>The Keeper Handbook of Lamps</h1><h2>Oil</h2>']) {
        const site = `<nav><a href="/book/">The Keeper Handbook of Lamps</a></nav>${body}`;
        for (const chapter of chapters)
          expect(await titleOf(`${chapter} | The Keeper Handbook of Lamps`, site, { head })).toBe(chapter);
      }
    // Nothing tells which part is the page's own.
    expect(await titleOf('Oil | The Keeper Handbook of Lamps', '')).toBe('Oil | The Keeper Handbook of Lamps');
    expect(await titleOf('Tea - a short history', '<main><h1>Tea</h1></main>')).toBe('Tea - a short history');
    expect(await titleOf('Lamps', '<a href="/">Lamps</a>', { head: heads[1] ?? '' })).not.toBe('');
  });

  test('CAP-20: the title of a start page, or one that is the name of its site only, stays', async () => {
    const home = { url: 'https://lamps.example/' };
    expect(await titleOf('Lamps | Light for everyone', '<h1>Light for everyone</h1>', home)).toContain('Light');
    expect(await titleOf('Lamps', '<a href="/">Lamps</a>')).toBe('Lamps');
    expect(await titleOf('Lamps | Lamps docs', '')).toMatch(/Lamps/);
  });

  test('CAP-20: any page gets a title that is not empty and that the page states', async () => {
    const part = fc.constantFrom('Oil', 'Lamps', 'The Handbook', 'Wick', '2.1');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' | ', ' - ', ' :: '),
        fc.array(part, { maxLength: 3 }),
        async (parts, separator, names) => {
          const title = parts.join(separator);
          const links = names.map((name) => `<a href="/">${name}</a><h1>${name}</h1>`).join('');
          const own = await titleOf(title, `<header>${links}</header>`);
          expect(own.trim()).not.toBe('');
          expect(title).toContain(own);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('CAP-2: a word of which an element is a part stays one word', async () => {
    const prose =
      '<p>The keeper of each lamp knew its flame, and wrote down what it burned on every night of the year.</p>';
    const line = `<p>It is <b>un</b>believable: "<i>Cornus sericea</i>" and Bob's <a href="/l">lamp</a>s, <a href="/b">Bob</a>'s too,
      これは<b>重要</b>です, <span>by</span><a href="/j">Jo</a>, <em>now</em> and H<sub>2</sub>O.</p>`;
    for (const count of [2, 30]) {
      const page = `<body><article><h1>Lamps</h1>${prose.repeat(count)}${line}${prose}</article></body>`;
      const { text } = await extractor.extract(page, 'https://lamps.example/');
      expect(text).toContain(
        `It is **un**believable: "*Cornus sericea*" and Bob's [lamp](https://lamps.example/l)s, [Bob](https://lamps.example/b)'s too, これは**重要**です, by`,
      );
      expect(text).toContain('*now* and H2O.');
      expect(text).not.toMatch(/\p{Co}/u);
    }
  });

  test('CAP-2: keeps lists of boxes to tick, and sentences without the readings of their characters', async () => {
    const { text } = await extractor.extract(
      `<body><main><h1>Soup</h1><p>A soup of <ruby>豆乳<rp>(</rp><rt>とうにゅう</rt><rp>)</rp></ruby>を温める, and the <ruby>WWW<rt>World Wide Web</rt></ruby>.</p>
      <h2>Ingredients</h2><ul><li><label><input type="checkbox"> 200 g red lentils</label></li>
      <li><input type="checkbox" id="b"><label for="b">One onion</label></li></ul>
      <p>Simmer everything for half an hour, then stir in the lemon and serve it at once.</p></main></body>`,
      null,
    );
    expect(text).toContain('豆乳を温める, and the WWW (World Wide Web).');
    expect(text).toContain('- [ ] 200 g red lentils\n- [ ] One onion');
  });

  test('accepts pages without text and malformed markup', async () => {
    for (const html of [
      '',
      '<html></html>',
      'plain words without any tag',
      '<p>unclosed <b>bold',
      '<script>x</script>',
      '\u0000',
    ]) {
      await expect(extractor.extract(html, null)).resolves.toMatchObject({ text: expect.any(String) });
    }
    expect((await extractor.extract('<p>unclosed <b>bold</p>', null)).text).toContain('unclosed');
  });

  test('CAP-19: keeps the plain text of a page that takes too long or is nested too deep, and reads the next one', {
    tags: 'long',
  }, async () => {
    const limited = openArticleExtractor({ timeLimit: 1_000 });
    const beginning = '<title>Sour &amp; dough</title><script>let x = "<p>";</script><p>Feed it <b>dai</b>ly.</p>';
    for (const rest of ['<div>'.repeat(60_000), '<p>Rye&nbsp;bread.<span>'.repeat(5_000)]) {
      const { title, text, warning } = await limited.extract(`${beginning}${rest}The end.`, null);
      expect(title).toBe('Sour & dough');
      expect(text).toMatch(/^Feed it daily\.\n\n(?:Rye bread\.\n\n)*(?:Rye bread\.)?The end\.$/);
      expect(warning).toMatch(/^The page takes too long to convert\. Its plain text was saved/);
    }
    const next = await limited.extract('<p>One more page.</p>', null);
    expect([next.text, next.warning]).toEqual(['One more page.', undefined]);
    await limited.close();
  });

  test('rejects a page that is requested while the extractor closes, and leaves no process behind', async () => {
    const closing = openArticleExtractor();
    const first = closing.extract(PAGE, null).catch(() => 'ended');
    const second = closing.extract(PAGE, null);
    const refused = expect(second).rejects.toThrow('closed');
    await closing.close();
    await refused;
    await first;
    await expect(closing.extract(PAGE, null)).rejects.toThrow('closed');
  });

  test('writes page errors to neither standard output nor standard error', async () => {
    const library = fileURLToPath(new URL('../dist/index.js', import.meta.url));
    const page = PAGE.replace('<script>', '<script type="application/ld+json">{ broken </script><script>');
    const program = `import { openArticleExtractor } from ${JSON.stringify(library)};
      const extractor = openArticleExtractor();
      await extractor.extract(${JSON.stringify(page)}, 'https://brot.example/');
      await extractor.close();`;
    const folder = await mkdtemp(join(tmpdir(), 'recollect-extraction-'));
    await writeFile(join(folder, 'program.mjs'), program);
    const child = spawn(process.execPath, [join(folder, 'program.mjs')]);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    await rm(folder, { recursive: true });
    expect([child.exitCode, out, err]).toEqual([0, '', '']);
  });

  test('reads concurrent pages one after another', async () => {
    const articles = await Promise.all(
      Array.from({ length: 5 }, (_, at) => extractor.extract(PAGE.replace('Roggen', `Roggen${at}`), null)),
    );
    for (const [at, article] of articles.entries()) expect(article.text).toContain(`Roggen${at}`);
  });
});
