import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages } from '../dist/docs/pages/index.js';
import { renderPage, resolveLink } from '../src/docs/pages/render-page.js';
import { formatOperations } from './format-operations.js';

const docs = new URL('../../../docs/', import.meta.url);

test('SYS-2: every Markdown file in docs/ is a page', () => {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.md'.length));
  expect(files.length).toBeGreaterThan(5);
  expect(pages.map(({ path }) => path).sort()).toEqual(files.sort());
});

test('SYS-2: docs/operations.md describes every operation and error code (vitest -u writes it)', async () => {
  await expect(formatOperations()).toMatchFileSnapshot('../../../docs/operations.md');
});

test('SEC-12: shows HTML in a page as text', () => {
  const { html } = renderPage(
    '# T\n\n<script>x</script>\n\nSome <b onclick="x">bold</b> ![p](https://evil.com/p.png)\n',
    {
      path: 'a',
      section: 's',
    },
  );
  expect(html).not.toMatch(/<script|<b |<img/);
  expect(html).toContain('&lt;script&gt;');
});

test('SEC-12: inlines pictures from docs/ and replaces others with their alternative text', () => {
  const read = (path: string) => (path === 'a/images/x.png' ? Buffer.from('PNG') : null);
  const render = (markdown: string) => renderPage(`# T\n\n${markdown}\n`, { path: 'a/b', section: 's' }, read).html;
  expect(render('![One "x"](images/x.png)')).toContain(
    '<img src="data:image/png;base64,UE5H" alt="One &quot;x&quot;">',
  );
  for (const other of ['https://evil.com/p.png', '/p.png', 'images/y.png', 'images/x.svg', 'data:image/png,x.png']) {
    expect(render(`![text](${other})`)).not.toContain('<img');
  }
});

test('resolves links to pages, and removes links to files that are not pages', () => {
  expect(resolveLink('getting-started/http', '../interface.md#capture')).toBe('/docs/interface#capture');
  expect(resolveLink('security', 'interface.md')).toBe('/docs/interface');
  expect(resolveLink('security', '../README.md')).toBeNull();
  expect(resolveLink('security', 'https://fastify.dev')).toBe('https://fastify.dev');
  expect(renderPage('# T\n\n[the readme](../README.md)\n', { path: 'a', section: 's' }).html).toContain(
    '<p>the readme</p>',
  );
});
