import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CaptureAnswer } from '@recollect/contract';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LAMPS } from './lamps.js';
import { type Cli, createCli } from './run-cli.js';

const REDIRECTED =
  'It is in a private network. The page redirects there. Nothing was saved. To save that page, type its own address.';

describe('capture', () => {
  let cli: Cli;
  beforeEach(async () => {
    cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  });
  afterEach(() => cli.remove());
  const titles = async () => (await cli.json(['recent'])).memories.map(({ title }: { title: string }) => title).sort();

  test.skipIf(process.platform === 'win32')('CLI-4: a pipe is read as a file is', async () => {
    const piped = (command: string) =>
      cli.runWith('sh', [
        '-c',
        `mkfifo pipe; echo 'Green tea.' > pipe & '${process.execPath}' '${cli.main}' ${command}`,
      ]);
    const saved = await piped('capture pipe');
    expect([saved.code, saved.out]).toEqual([0, expect.stringMatching(/^\S*Saved \S*Green tea\./)]);
    const refused = await piped('import pipe');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('pipe: There is no export in it that can be imported.'),
    ]);
  });

  test('CAP-14: files with the same text are told apart by their front matter, and a changed file stays one memory', async () => {
    const folder = join(cli.folder, 'books');
    await mkdir(folder);
    const write = (name: string, front: string) =>
      writeFile(join(folder, `${name}.md`), `---\n${front}\n---\n\n## Notes\n`);
    await write('Dune', 'title: Dune\nauthor: Frank Herbert\ntags: [scifi]');
    await write('Emma', 'title: Emma\nauthor: Jane Austen\ntags: [romance]');
    await write('Emma copy', 'title: Emma\nauthor: Jane Austen\ntags: [romance]');
    expect((await cli.run(['capture', '-r', folder])).out.match(/^Saved /gm)).toHaveLength(2);
    expect(await titles()).toEqual(['Dune', 'Emma']);
    expect((await cli.run(['capture', '-r', folder])).out.match(/^Already saved /gm)).toHaveLength(3);
    for (const [query, title] of [
      ['Jane Austen', 'Emma'],
      ['Herbert', 'Dune'],
      ['tag:romance', 'Emma'],
    ])
      expect((await cli.json(['search', query ?? ''])).results.map((found: { title: string }) => found.title)).toEqual([
        title,
      ]);
    await write('Dune', 'title: Dune, the novel\nauthor: Frank Herbert\ntags: [scifi]');
    expect((await cli.run(['capture', join(folder, 'Dune.md')])).out).toMatch(/^Already saved Dune, the novel /);
    const [{ id }] = (await cli.json(['search', 'Herbert'])).results;
    expect((await cli.run(['show', id])).out).toContain('author: Frank Herbert');
    expect(await titles()).toEqual(['Dune, the novel', 'Emma']);
  });

  test('CAP-14: front matter keeps its spelling, is found, and goes out into Markdown again', async () => {
    const front = [
      'title: 007',
      'tags:',
      '  - 3.10',
      '  - #project/active',
      'isbn: 0123456789',
      'tweet: 1765432109876543210',
      'price: 1.5',
      'series: [Empire, Vampire]',
      'date: 2015-11-17 16:16:01 -0600',
    ];
    await writeFile(join(cli.folder, 'bond.md'), `---\n${front.join('\n')}\n---\nA licence.`);
    const { captures } = await cli.json(['capture', 'bond.md']);
    const { title, tags, capturedAt, metadata } = await cli.json(['show', captures[0].id]);
    expect({ title, tags, capturedAt }).toEqual({
      title: '007',
      tags: ['3.10', 'project/active'],
      capturedAt: '2015-11-17T22:16:01.000Z',
    });
    expect(metadata.frontMatter).toMatchObject({ isbn: '0123456789', tweet: '1765432109876543210', price: 1.5 });
    expect((await cli.json(['search', '0123456789'])).results).toHaveLength(1);
    await cli.run(['export', '--format', 'markdown', '--out', 'vault']);
    const [name = ''] = await readdir(join(cli.folder, 'vault'));
    const note = await readFile(join(cli.folder, 'vault', name), 'utf8');
    expect(note).toContain('isbn: "0123456789"');
    expect(note).toContain('series:\n  - Empire\n  - Vampire\n');
    expect((await cli.run(['capture', `vault/${name}`])).code).toBe(0);
  });

  test('CLI-4: saves files in any encoding, and the texts of folders', async () => {
    const folder = join(cli.folder, 'notes');
    await mkdir(join(folder, 'deep', 'node_modules'), { recursive: true });
    await writeFile(join(folder, 'latin.txt'), Buffer.from('Grüße aus München, wie süß und schön.', 'latin1'));
    await writeFile(join(folder, 'wide.txt'), Buffer.from('Zwei Bytes für jeden Buchstaben.', 'utf16le'));
    await writeFile(
      join(folder, 'deep', 'page.html'),
      '<title>Deep page</title><p>The text of a page in a folder.</p>',
    );
    await writeFile(join(folder, 'deep', 'node_modules', 'readme.md'), 'Left out');
    await writeFile(join(folder, '.hidden.md'), 'Left out');
    await writeFile(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0, 1]));
    await writeFile(join(cli.folder, 'outside.txt'), 'The text behind a link.');
    if (process.platform !== 'win32') {
      await symlink(folder, join(folder, 'deep', 'again'));
      await symlink(join(cli.folder, 'outside.txt'), join(folder, 'linked.txt'));
    } else await writeFile(join(folder, 'linked.txt'), 'The text behind a link.');
    const plain = await cli.run(['capture', folder]);
    expect([plain.code, plain.err]).toEqual([1, expect.stringContaining(`recollect capture --recursive ${folder}`)]);
    const saved = await cli.run(['capture', '--recursive', folder]);
    expect(saved.out.match(/^Saved /gm)).toHaveLength(4);
    // CLI-16: a folder ends with a summary.
    expect(saved.out).toMatch(/^4 saved in \d+ s$/m);
    expect(saved.err).toContain('Skipped 1 file that is no text: 1 .png\n');
    const [deep] = (await cli.json(['search', 'page', 'folder'])).results;
    expect((await cli.json(['show', deep.id])).metadata.fileName).toBe('deep/page.html');
    expect(await titles()).toEqual(['Deep page', 'latin', 'linked', 'wide']);
    expect((await cli.json(['search', 'München', 'süß'])).results[0].title).toBe('latin');
    expect((await cli.json(['search', 'Buchstaben'])).results[0].title).toBe('wide');
    const picture = await cli.run(['capture', join(folder, 'picture.png')]);
    expect([picture.code, picture.err]).toEqual([1, expect.stringContaining('picture.png is neither text nor a PDF.')]);
  });

  test('CLI-1, CLI-4: saves pages in the encoding that they have, at the address that a browser shows, and nothing else', async () => {
    const pages: Record<string, [type: string | null, body: Buffer]> = {
      '/plain': ['text/plain', Buffer.from('Café crème brûlée, bien sûr.', 'latin1')],
      '/page': ['Text/HTML', Buffer.from('<p>Une très belle journée à Évian.</p>', 'latin1')],
      '/late': [
        'text/html',
        Buffer.from(`<head>${' '.repeat(4_000)}<meta charset="latin1"></head><p>Déjà vu, ça va?</p>`, 'latin1'),
      ],
      '/named': ['text/html; charset="windows-1252"', Buffer.from('<p>Costs 5 \x80 at most.</p>', 'latin1')],
      '/broken': [
        'text/plain; charset=utf-8',
        Buffer.concat([Buffer.from('Les élèves étudient '), Buffer.from([0xff])]),
      ],
      '/short': ['text/plain', Buffer.from('abc été', 'latin1')],
      '/dos': ['text/plain; charset=utf-8', Buffer.from('A text of DOS.\x1a')],
      '/wide': ['text/plain', Buffer.from('Two bytes for each letter.', 'utf16le')],
      '/long': [null, Buffer.from(`<!-- ${'saved '.repeat(400)} --><p>After a comment.</p>`)],
      '/marked': ['text/html; charset=iso-8859-1', Buffer.from('\ufeff<p>Ein schöner Tag.</p>')],
      '/titled': [null, Buffer.from('<!-- saved from a page --><p>Its text.</p>')],
      '/bare': [null, Buffer.from('<!DOCTYPE html><p>A page without a type.</p>')],
      '/program': ['text/plain', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0])],
      '/archive': [null, Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 0, 0, 8, 0])],
      '/zip': ['application/zip', Buffer.alloc(17 * 2 ** 20)],
    };
    const server = createServer((request, response) => {
      const [type, body] = pages[request.url ?? ''] ?? ['text/plain', Buffer.from('')];
      if (request.url === '/old') return response.writeHead(302, { location: '/plain' }).end();
      if (type !== null) response.setHeader('content-type', type);
      return response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const expected = [
        ['/old#dessert', 'Café crème brûlée, bien sûr.'],
        ['/broken', 'Les élèves étudient \ufffd'],
        ['/short', 'abc été'],
        ['/dos', 'A text of DOS.'],
        ['/wide', 'Two bytes for each letter.'],
        ['/long', 'After a comment.'],
        ['/marked', 'Ein schöner Tag.'],
        ['/titled', 'Its text.'],
        ['/page#noon', 'Une très belle journée à Évian.'],
        ['/late', 'Déjà vu, ça va?'],
        ['/named', 'Costs 5 € at most.'],
        ['/bare', 'A page without a type.'],
      ];
      const answers: CaptureAnswer[] = await cli.json(['capture', ...expected.map(([path]) => `${address}${path}`)]);
      const found = [];
      for (const { id = '' } of answers.flatMap(({ captures }) => captures)) {
        const { url, text } = await cli.json(['show', id]);
        found.push([url.replace(address, ''), text]);
      }
      expect(found).toEqual(expected.map(([path, text]) => [path?.replace('/old', '/plain'), text]));
      const refused = await cli.run(['capture', ...['/program', '/archive', '/zip'].map((path) => address + path)]);
      expect([refused.code, refused.err.match(/This type of content cannot be saved/g)?.length]).toEqual([1, 3]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test.runIf(process.platform === 'linux')('CLI-1: saves the other files when one cannot be read', async () => {
    const [first, last] = [join(cli.folder, 'a.txt'), join(cli.folder, 'z.txt')];
    await writeFile(first, 'The first one.');
    await writeFile(last, 'The last one.');
    // Its first byte cannot be read by anyone.
    const { code, err } = await cli.run(['capture', first, '/proc/self/mem', last]);
    expect([code, err]).toEqual([1, expect.stringContaining('/proc/self/mem cannot be read')]);
    expect(await titles()).toEqual(['a', 'z']);
  });

  test('CAP-14: takes the address of an exported note from url, as its source is the name of a program', async () => {
    const file = join(cli.folder, 'exported.md');
    await writeFile(file, '---\nsource: Kindle\nurl: https://tea.example/book\n---\nA passage.');
    const { captures } = await cli.json(['capture', file]);
    expect(captures[0].url).toBe('https://tea.example/book');
  });

  test('CAP-14: reads the front matter of Markdown, and takes the first heading or the name of the file as the title', async () => {
    const files = {
      'tea.md':
        '---\ntitle: "Tea: how to"\ntags: [drink, "hot water"]\ndate: 2024-05-01\nsource: https://tea.example/a\nrating: 5\n---\n\n# Steeping\n\nBelow boiling.',
      'heading.md': 'Some words.\n\n```sh\n# no heading\n```\n\n# The real heading #\n\nMore.',
      'plain.md': 'No heading here at all.',
      'rules.md': '---\nnot: [closed\n---\n\nText between rules.',
      'obsidian.md': '---\ntags: "#reading #to-do"\ncreated: 2025-02-03 10:30\n---\nA note.',
      'prices.csv': 'name,price\ntea,3\n',
      'novel.txt': 'Chapter 1\n\nIt was a dark night.',
      'future.md': '---\ndate: 2999-01-01\ntitle: 42\n---\nFrom the future.',
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(cli.folder, name), content);
    expect((await cli.run(['capture', ...Object.keys(files), '--tag', 'mine'])).code).toBe(0);
    const { memories } = await cli.json(['recent', '--limit', '20']);
    const read = async (fileName: string) => {
      for (const { id } of memories) {
        const memory = await cli.json(['show', id]);
        if (memory.metadata.fileName === fileName) return memory;
      }
    };
    const tea = await read('tea.md');
    expect(tea).toMatchObject({
      title: 'Tea: how to',
      tags: ['mine', 'drink', 'hot water'],
      url: 'https://tea.example/a',
      capturedAt: '2024-05-01T12:00:00.000Z',
      metadata: { frontMatter: { title: 'Tea: how to', date: '2024-05-01', rating: 5 } },
    });
    expect(tea.text.trim()).toBe('# Steeping\n\nBelow boiling.');
    expect(memories.map(({ title }: { title: string }) => title).sort()).toEqual(
      ['Tea: how to', 'The real heading', 'plain', 'rules', 'obsidian', 'prices', 'novel', '42'].sort(),
    );
    expect((await read('rules.md')).text).toContain('not: [closed');
    expect(await read('obsidian.md')).toMatchObject({
      tags: ['mine', 'reading', 'to-do'],
      capturedAt: '2025-02-03T10:30:00.000Z',
    });
    expect(Date.parse((await read('future.md')).capturedAt)).toBeLessThan(Date.now());
    // The name of the file is found, also where the title is another one.
    for (const [query, title] of [
      ['heading.md', 'The real heading'],
      ['obsidian', 'obsidian'],
    ])
      expect((await cli.json(['search', query ?? ''])).results[0].title).toBe(title);
    const named = await cli.run(['capture', 'plain.md', '--title', 'Mine', '--url', 'https://own.example/']);
    expect(named.out).toMatch(/^Saved Mine /);
  });

  test('CAP-15, CLI-1: saves PDFs by name, from standard input, in folders and at addresses', async () => {
    const folder = join(cli.folder, 'papers');
    await mkdir(folder);
    await copyFile(LAMPS, join(folder, 'lamps.pdf'));
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7\n\0');
    const saved = await cli.run(['capture', '--recursive', folder]);
    expect(saved.out).toMatch(/^Saved Gas Lamps of Harrow Street /);
    expect([saved.code, saved.err]).toEqual([
      1,
      expect.stringContaining('broken.pdf: The PDF is damaged or incomplete.'),
    ]);
    const [lamps] = (await cli.json(['search', 'widow', 'vinegar'])).results;
    expect(await cli.json(['show', lamps.id])).toMatchObject({
      title: 'Gas Lamps of Harrow Street',
      sourceType: 'file',
      metadata: { fileName: 'lamps.pdf' },
    });
    if (process.platform !== 'win32') {
      const piped = `'${process.execPath}' '${cli.main}' capture - < '${LAMPS}'`;
      expect((await cli.runWith('sh', ['-c', piped])).out).toMatch(/^Already saved Gas Lamps/);
    }
    const server = createServer(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(await readFile(LAMPS));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lamps.pdf`;
    expect((await cli.json(['capture', address])).captures).toMatchObject([{ url: address, sourceType: 'url' }]);
    server.close();
    const edited = await cli.run(['edit', lamps.id, '--text', LAMPS]);
    expect([edited.code, edited.err]).toEqual([1, expect.stringContaining('lamps.pdf is a PDF, not a text.')]);
  });

  test('SEC-12: follows a redirect to the typed host, and to no other in a private network', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      asked.push(`${request.headers.host} ${request.url}`);
      const to = {
        '/own': '/page',
        '/other': `http://localhost:${port}/secret`,
        '/address': `http://[::1]:${port}/secret`,
      };
      const location = to[request.url as keyof typeof to];
      if (location !== undefined) return response.writeHead(302, { location }).end();
      return response.setHeader('content-type', 'text/plain').end('Green tea.');
    }).listen(0);
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const capture = (path: string) => cli.run(['capture', `http://${host}${path}`]);
    try {
      expect((await capture('/own')).code).toBe(0);
      for (const path of ['/other', '/address']) {
        const refused = await capture(path);
        expect([path, refused.code, refused.err]).toEqual([path, 1, expect.stringContaining(REDIRECTED)]);
      }
      expect(asked).toEqual(['/own', '/page', '/other', '/address'].map((path) => `${host} ${path}`));
    } finally {
      server.close();
    }
  });

  test('CAP-18, CLI-4: saves a book, and says why one cannot be read', async () => {
    const page = '<html><body><h1>The gate</h1><p>The keeper opens the sluice at noon.</p></body></html>';
    const book = zipSync({
      mimetype: [strToU8('application/epub+zip'), { level: 0 }],
      'META-INF/container.xml': strToU8('<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'),
      'b.opf': strToU8(
        '<package><metadata><dc:title>The Keeper</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      ),
      'a.xhtml': strToU8(page),
    });
    await writeFile(join(cli.folder, 'keeper.epub'), book);
    await writeFile(join(cli.folder, 'cut.epub'), book.subarray(0, 200));
    const saved = await cli.run(['capture', 'keeper.epub', 'cut.epub']);
    expect(saved.out).toMatch(/^Saved The Keeper /);
    expect([saved.code, saved.err]).toEqual([1, expect.stringMatching(/^cut\.epub: It is damaged or incomplete/)]);
    expect((await cli.json(['search', 'sluice', 'noon'])).results[0]).toMatchObject({
      title: 'The Keeper',
      sourceType: 'file',
    });
  });

  test('CLI-4: names an export and its content, and rejects standard input without an end', async () => {
    const links = ['Moss', 'Fern', 'Oak', 'Elm'].map((name) => `<DT><A HREF="https://${name}.example/">${name}</A>`);
    await writeFile(join(cli.folder, 'marks.html'), `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${links.join('')}</DL>`);
    const refused = await cli.run(['capture', 'marks.html']);
    expect(refused.err).toContain('is an export of browser bookmarks with 4 links: Moss, Fern, Oak, …');
    expect(refused.err).toContain('recollect import marks.html');
    const endless = await cli.run(['capture', '-'], { input: 'a'.repeat(17 * 1024 * 1024) });
    expect([endless.code, endless.err]).toEqual([1, 'Standard input is larger than 16 MiB.\n']);
  });

  test('CLI-4: says what was probably meant', async () => {
    for (const [source, advice] of [
      ['just a thought', 'To save these words as a note: recollect capture --text "just a thought"'],
      ['127.0.0.1:5190/index.html', 'For a web page, write http://127.0.0.1:5190/index.html.'],
      ['localhost:3000', 'For a web page, write http://localhost:3000.'],
      ['example.org/page?x=1', 'For a web page, write https://example.org/page?x=1.'],
    ]) {
      const { code, err } = await cli.run(['capture', source ?? '']);
      expect([source, code, err]).toEqual([source, 1, expect.stringContaining(advice ?? '')]);
    }
    expect((await cli.run(['capture', '--text', 'just a thought', '--tag', 'a, b'])).out).toMatch(
      /^Saved just a thought /,
    );
    expect((await cli.json(['tags'])).tags.map(({ tag }: { tag: string }) => tag)).toEqual(['a', 'b']);
  });

  test('CAP-7, CLI-1: a title, tags and a note of a known text are applied and reported', async () => {
    const id = await cli.save('Green tea is steeped below boiling.', '--tag', 'tea');
    const again = await cli.run(['capture', '-', '--title', 'Tea', '--tag', 'Hot', '--note', 'Try it'], {
      input: 'Green tea is steeped below boiling.',
    });
    expect(again.out).toContain(`Already saved Tea ${id}\n  It has the new title, tags, and note.\n`);
    expect(await cli.json(['show', id])).toMatchObject({ title: 'Tea', tags: ['tea', 'Hot'], note: 'Try it' });
    const { captures } = await cli.json(['capture', '-', '--title', 'Tea'], 'Green tea is steeped below boiling.');
    expect(captures[0].merged).toBeUndefined();
    expect((await cli.json(['history', id])).history.length).toBe(2);
  });
});
