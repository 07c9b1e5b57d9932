import { openArticleExtractor } from '@recollect/extraction';
import { afterAll, describe, expect, test } from 'vitest';

const extractor = openArticleExtractor();
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

  test('a page without text gives none, and odd markup is no error', async () => {
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

  test('a page that takes too long is given up, and the next one is read', async () => {
    const hurried = openArticleExtractor({ timeLimit: 4_000 });
    await hurried.extract(PAGE, null);
    const endless = `<body>${'<div><p>'.repeat(200_000)}`;
    await expect(hurried.extract(endless, null)).rejects.toThrow('4000 ms');
    await expect(hurried.extract(PAGE, null)).resolves.toMatchObject({ text: expect.stringContaining('Sauerteig') });
    await hurried.close();
  });

  test('pages that arrive at once are read one after another', async () => {
    const articles = await Promise.all(
      Array.from({ length: 5 }, (_, at) => extractor.extract(PAGE.replace('Roggen', `Roggen${at}`), null)),
    );
    for (const [at, article] of articles.entries()) expect(article.text).toContain(`Roggen${at}`);
  });
});
