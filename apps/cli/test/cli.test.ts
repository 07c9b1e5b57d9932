import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from '../src/program.js';
import { type Cli, createCli } from './run-cli.js';
import { serveModel } from './serve-model.js';

/** Windows has neither file modes nor signals that a program can handle. */
const isWindows = process.platform === 'win32';

let cli: Cli;

/** Gives each test of a group its own data folder. */
function useCli(environment: Record<string, string> = {}): void {
  beforeEach(async () => {
    cli = await createCli(environment);
  });
  afterEach(() => cli.remove());
}
const WITHOUT_MODEL = { RECOLLECT_EMBEDDINGS: 'off' };

describe('capture and search', () => {
  useCli();

  test('CLI-1: saves standard input and finds it by a question that shares no word with it', async () => {
    const saved = await cli.run(['capture', '-', '--tag', 'kitchen', '--note', 'from grandma'], {
      input: 'Green tea is best steeped well below boiling.',
    });
    expect([saved.code, saved.err]).toEqual([0, '']);
    expect(saved.out).toMatch(/^Saved Green tea is best steeped/);
    // Each process, or command, loads the model anew.
    await cli.run(['capture', '-'], { input: 'The parliament passed a new budget on Tuesday.', env: WITHOUT_MODEL });
    const found = await cli.search('how', 'hot should water be');
    expect(found.results[0].title).toBe('Green tea is best steeped well below boiling.');
    const filtered = await cli.run(['search', 'tea', '--tag', 'kitchen', '--json'], { env: WITHOUT_MODEL });
    expect(JSON.parse(filtered.out).results.length).toBe(1);
    const { out } = await cli.run(['search', 'budget'], { env: WITHOUT_MODEL });
    expect(out).toContain('parliament');
    expect(out).not.toContain('\u001b');
    // The home folder contains only the configured data folder: no cache, no device id, no report.
    expect(await readdir(cli.folder)).toEqual(['data']);
  });

  test('CLI-1, CAP-21: saves Markdown and HTML files, and reports a duplicate', async () => {
    await writeFile(join(cli.folder, 'note.md'), '# Trip to Kyoto\n\nTemples and maple leaves.');
    await writeFile(
      join(cli.folder, 'page.html'),
      '<html><title>Page</title><body><nav>Menu</nav><article><p>A long enough paragraph about volcanoes and lava.</p></article>',
    );
    const answers = await cli.json(['capture', 'note.md', 'page.html']);
    expect(answers.map(({ captures }: { captures: { title: string }[] }) => captures[0]?.title)).toEqual([
      'Trip to Kyoto',
      'Page',
    ]);
    const page = await cli.json(['show', answers[1].captures[0].id]);
    expect(page).toMatchObject({ text: expect.stringContaining('volcanoes'), metadata: { fileName: 'page.html' } });
    expect(page.text).not.toContain('Menu');
    const whole = await cli.json(['capture', 'page.html', '--whole-page']);
    expect((await cli.json(['show', whole.captures[0].id])).text).toMatch(/Menu[\s\S]*volcanoes/);
    expect((await cli.run(['capture', 'note.md'])).out).toMatch(/^Already saved/);
  });

  test('CLI-1: indexes a long text completely, also beside a file that is missing', async () => {
    const book = Array.from(
      { length: 1_700 },
      (_, at) => `Sentence ${at} tells of rivers, bridges and the towns along them.`,
    );
    await writeFile(join(cli.folder, 'book.md'), book.join(' '));
    const model = await serveModel();
    const { code, out, err } = await cli.run(['capture', 'missing.md', 'book.md', '--wait', '--json'], model);
    expect([code, err]).toEqual([1, expect.stringContaining('There is no file missing.md')]);
    expect(JSON.parse(out).imported ?? JSON.parse(out)[0].imported).toMatchObject({ embeddingsSkipped: true });
    expect(JSON.parse((await cli.run(['model', '--json'], model)).out)).toMatchObject({ total: 1, withEmbeddings: 1 });
    model.close();
  });
});

describe('lists', () => {
  useCli(WITHOUT_MODEL);

  test('CLI-1: --site accepts a host, a host with a port and a URL; an invalid filter is wrong usage', async () => {
    const input = 'A shelf of books.';
    const saved = await cli.run(['capture', '-', '--url', 'https://bücher.example:8443/a'], { input });
    expect([saved.code, saved.err]).toEqual([0, '']);
    for (const site of ['bücher.example', 'bücher.example:8443', 'https://www.bücher.example/other']) {
      expect((await cli.json(['search', 'books', '--site', site])).results.length).toBe(1);
      expect((await cli.json(['recent', '--site', site])).memories.length).toBe(1);
    }
    for (const [option, value] of [
      ['--since', '2026-02-30'],
      ['--until', 'Jan 5'],
      ['--site', 'two words'],
    ] as const) {
      const { code, out, err } = await cli.run(['recent', option, value]);
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(`^${option} must be`)]);
    }
  });

  test('options of filters can be repeated: of several sites one will do, of several tags all', async () => {
    const save = (title: string, ...options: string[]) =>
      cli.run(['capture', '-', '--title', title, ...options], { input: `${title} is about tea.` });
    await save('a', '--url', 'https://a.example/', '--tag', 'green');
    await save('b', '--url', 'https://b.example/', '--tag', 'green', '--tag', 'hot');
    await save('c', '--tag', 'hot');
    const titles = (found: { title: string }[]) => found.map(({ title }) => title).sort();
    for (const [options, expected] of [
      [
        ['--site', 'a.example', '--site', 'b.example'],
        ['a', 'b'],
      ],
      [['--tag', 'green', '--tag', 'hot'], ['b']],
      [
        ['--source', 'note', '--source', 'url', '--tag', 'hot'],
        ['b', 'c'],
      ],
    ] as const) {
      expect(titles((await cli.json(['recent', ...options])).memories)).toEqual(expected);
      expect(titles((await cli.json(['search', 'tea', ...options])).results)).toEqual(expected);
    }
    const unknown = await cli.run(['recent', '--source', 'paper']);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringMatching(/paper.*Allowed choices are url, note/)]);
  });

  test('CLI-1: recent, show and model print what is stored', async () => {
    const model = await serveModel();
    expect((await cli.run(['recent'])).out).toContain('No memories found');
    for (const name of ['first', 'second', 'third'])
      await cli.run(['capture', '-', '--title', name], { input: `Text of ${name}.`, env: model.env });
    const recent = await cli.run(['recent', '--limit', '2']);
    expect(recent.out).toMatch(/@1\s+(?:just now|\d minutes? ago)\s+third\s+\S{36}\n@2\s.*\ssecond/);
    expect(recent.out).not.toContain('first');
    const [memory] = (await cli.json(['recent'])).memories;
    const shown = await cli.run(['show', memory.id]);
    expect(shown.out).toMatch(/^third\n[\s\S]*Text of third\./);
    expect(shown.out).not.toContain('by other people');
    expect((await cli.run(['model'], model)).out).toContain('3 of 3 memories have its embeddings');
    model.close();
    expect(await cli.run(['show', 'unknown'])).toMatchObject({
      code: 1,
      out: '',
      err: 'There is no memory with this id. recollect recent and recollect search print ids.\n',
    });
  });
});

describe('from the web', () => {
  useCli(WITHOUT_MODEL);

  let web: Server;
  let base: string;
  const pages: Record<string, RequestListener> = {
    '/article': (_, response) =>
      response
        .setHeader('content-type', 'text/html; charset=iso-8859-1')
        .end(
          Buffer.from(
            '<html><title>Käse</title><body><article><p>Der Käse reift im Keller, viele Wochen lang, bis er schmeckt.</p></article>',
            'latin1',
          ),
        ),
    '/notes.txt': (_, response) => response.setHeader('content-type', 'text/plain').end('Plain notes about otters.'),
    '/moved': (_, response) => response.writeHead(302, { location: '/article' }).end(),
    '/image': (_, response) => response.setHeader('content-type', 'image/png').end('x'),
    '/missing': (_, response) => response.writeHead(404).end(),
    '/huge': (_, response) => {
      response.setHeader('content-type', 'text/plain');
      for (let at = 0; at < 18; at++) response.write('x'.repeat(1024 * 1024));
      response.end();
    },
  };
  beforeAll(async () => {
    web = createServer((request, response) => void pages[request.url ?? '']?.(request, response));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  afterAll(() => web.close());

  test('CLI-1: fetches, decodes and extracts a web page', async () => {
    const { captures } = await cli.json(['capture', `${base}/article`]);
    expect(captures[0]).toMatchObject({
      title: 'Käse',
      url: `${base}/article`,
      sourceType: 'url',
      captureMode: 'page',
    });
    expect((await cli.json(['show', captures[0].id])).text).toContain('Der Käse reift im Keller');
    expect((await cli.json(['capture', `${base}/notes.txt`])).captures[0].title).toBe('Plain notes about otters.');
    // A page that was reached by a redirect is the page that was found there.
    expect((await cli.json(['capture', `${base}/moved`])).captures).toMatchObject([
      { url: `${base}/article`, status: 'duplicate' },
    ]);
  });

  test('CLI-1: reports an unreadable source in one line and saves nothing', async () => {
    const wrong: [string, RegExp][] = [
      [`${base}/image`, /HTML, Markdown, plain text or a PDF/],
      [`${base}/missing`, /status 404/],
      [`${base}/huge`, /larger than 16 MiB/],
      ['http://127.0.0.1:1/', /could not be reached/],
      ['ftp://a.example/x', /Only http and https/],
      ['nothing.txt', /no file nothing\.txt/],
      ['.', /is a folder/],
      ['a.example/page', /write https:\/\/a\.example\/page/],
    ];
    for (const [source, reason] of wrong) {
      const { code, out, err } = await cli.run(['capture', source]);
      expect([source, code, out, err]).toEqual([source, 1, '', expect.stringMatching(reason)]);
      expect(err.trim().split('\n').length).toBe(1);
    }
    await writeFile(
      join(cli.folder, 'picture.png'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]),
    );
    expect((await cli.run(['capture', 'picture.png'])).err).toContain('picture.png is neither text nor a PDF');
    expect((await cli.json(['recent'])).memories).toEqual([]);
  });
});

describe('usage', () => {
  useCli();

  test('CLI-1: exits with 2 on wrong usage and 78 on a rejected configuration, each with a message', async () => {
    for (const args of [
      ['nonsense'],
      ['search'],
      ['search', 'x', '--limit', '0'],
      ['search', 'x', '--since', 'soon'],
      ['capture', 'a', 'b', '--title', 't'],
      ['recent', '--nonsense'],
    ]) {
      const { code, out, err } = await cli.run(args);
      expect([args, code, out]).toEqual([args, 2, '']);
      expect(err).not.toBe('');
    }
    const wrong: [Record<string, string>, RegExp][] = [
      [{ RECOLLECT_PORT: '99999' }, /RECOLLECT_PORT/],
      [{ RECOLLECT_HOST: '0.0.0.0' }, /RECOLLECT_AUTH=required/],
      [{ RECOLLECT_AUTH: 'none' }, /RECOLLECT_AUTH must be/],
      [{ RECOLLECT_ALLOWED_ORIGINS: '*' }, /no wildcard/],
      [{ RECOLLECT_ALLOWED_HOSTS: '*.example' }, /no wildcard/],
      [{ RECOLLECT_PUBLIC_URL: 'memory.example' }, /http or https/],
      [{ RECOLLECT_EMBEDDINGS: 'maybe' }, /on or off/],
      [{ RECOLLECT_EMBEDDINGS_URL: 'http://127.0.0.1:1' }, /RECOLLECT_EMBEDDINGS_MODEL/],
      [{ RECOLLECT_MODEL: '/nowhere' }, /config\.json/],
      [{ RECOLLECT_DATA_DIR: process.execPath }, /RECOLLECT_DATA_DIR to a folder/],
      // On other systems this is an ordinary folder.
      ...(process.platform === 'linux'
        ? [
            [{ RECOLLECT_DATA_DIR: '/proc/nowhere/data' }, /RECOLLECT_DATA_DIR to a folder/] as [
              Record<string, string>,
              RegExp,
            ],
          ]
        : []),
    ];
    for (const [env, reason] of wrong) {
      expect(await cli.run(['serve'], { env, isRejected: true })).toEqual({
        code: 78,
        out: '',
        err: expect.stringMatching(reason),
      });
    }
  });

  test('CLI-1: reports a file that is not a store and does not change it', async () => {
    await mkdir(join(cli.folder, 'data'));
    await writeFile(join(cli.folder, 'data', 'recollect.db'), 'garbage '.repeat(1_000));
    const { code, out, err } = await cli.run(['recent']);
    expect([code, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/not a Recollect store.*It was not changed.*RECOLLECT_DATA_DIR/),
    ]);
    expect(await readFile(join(cli.folder, 'data', 'recollect.db'), 'utf8')).toBe('garbage '.repeat(1_000));
  });

  test('CLI-1: --version prints the version, and loads no command for it', async () => {
    for (const option of ['--version', '-V']) {
      expect(await cli.run([option])).toEqual({
        code: 0,
        out: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f.]+\n$/),
        err: '',
      });
      expect((await createProgram([option])).commands).toEqual([]);
    }
  });

  test('CLI-1: help shows examples, and completion lists the commands', async () => {
    expect((await cli.run(['--help'])).out).toMatch(/Examples:[\s\S]*recollect capture/);
    expect((await cli.run(['capture', '--help'])).out).toMatch(/Examples:/);
    expect((await cli.run(['complete', 'bash'])).out).toContain('recollect');
    const completed = await cli.run(['complete', '--', 're']);
    expect(completed.out).toContain('recent');
    expect(completed.out).toContain('reindex');
  });
});

describe('indexing', () => {
  useCli();

  test('CLI-1: reindex and jobs:run-indexing index what was saved without a model', async () => {
    const off = { env: { RECOLLECT_EMBEDDINGS: 'off' } };
    const saved = await cli.run(['capture', '-', '--json'], { input: 'Otters hold hands while they sleep.', ...off });
    expect(JSON.parse(saved.out).imported).toMatchObject({ embedded: 0, embeddingsSkipped: true });
    expect((await cli.run(['model'], off)).out).toContain('No model is configured');
    expect((await cli.run(['search', 'otters'], off)).out).toContain('Otters hold hands');
    expect(await cli.json(['jobs:run-indexing'])).toMatchObject({ processed: 1, remaining: 0, status: 'completed' });
    await cli.run(['capture', '-'], { input: 'Beavers build dams.', ...off });
    expect((await cli.run(['reindex'])).out).toContain('1 memory embedded. All memories have embeddings.');
    expect((await cli.search('animals resting together')).results[0].excerpt).toContain('Otters');
  });

  test('CLI-1: reports an unreachable model and loses nothing', async () => {
    const env = { RECOLLECT_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1', RECOLLECT_EMBEDDINGS_MODEL: 'x' };
    const saved = await cli.run(['capture', '-'], { input: 'Kept all the same.', env });
    expect(saved).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Saved Kept[\s\S]*Searchable by words now, by meaning when the model has caught up\.\n$/,
      ),
      err: expect.stringContaining('are saved and found by word'),
    });
    expect(await cli.run(['capture', '-', '--wait'], { input: 'Kept, too.', env })).toMatchObject({ code: 1 });
    expect(await cli.run(['reindex'], { env })).toMatchObject({
      code: 1,
      out: expect.stringContaining('could not be reached'),
    });
    expect(await cli.json(['jobs:run-indexing'])).toMatchObject({ processed: 2, status: 'completed' });
  });
});

describe('serve', () => {
  useCli(WITHOUT_MODEL);

  test.skipIf(isWindows)(
    'SYS-1: starts, prints its address and data folder, works beside the command line, and stops cleanly',
    async () => {
      const server = await cli.serve();
      const health = await fetch(`${server.address}/healthz`);
      expect([health.status, await health.json()]).toEqual([
        200,
        { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f.]+$/) },
      ]);
      expect(server.printed()).toContain(join(cli.folder, 'data'));
      expect(server.printed()).toMatch(/capture -[\s\S]*search/);
      await cli.run(['capture', '-'], { input: 'Saved beside the server.' });
      const answer = await fetch(`${server.address}/api/v1/capture/query?q=beside`);
      expect(((await answer.json()) as { results: { title: string }[] }).results[0]?.title).toBe(
        'Saved beside the server.',
      );
      expect(await server.stop()).toBe(0);
      expect(server.printed()).toContain('stopped');
      // Ctrl-C arrives from the terminal and again from each process that passes it on.
      const interrupted = await cli.serve();
      const [code] = await Promise.all([interrupted.stop('SIGINT'), interrupted.stop('SIGINT')]);
      const left = (await readdir(join(cli.folder, 'data'))).filter((name) => /-(?:wal|shm)$/.test(name));
      expect([code, left]).toEqual([0, []]);
    },
  );

  test.skipIf(isWindows)('SEC-7: only the user has access to the data folder and its files', async () => {
    const server = await cli.serve();
    await fetch(`${server.address}/api/v1/capture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"pageText":"x"}',
    });
    const data = join(cli.folder, 'data');
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    for (const file of ['recollect.db', 'recollect.db-wal', 'recollect.db-shm']) {
      expect([file, (await stat(join(data, file))).mode & 0o777]).toEqual([file, 0o600]);
    }
    await server.stop();
    await chmod(data, 0o755);
    await cli.run(['recent']);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    await chmod(data, 0o755);
    await writeFile(join(data, 'somebody-elses'), '');
    await cli.run(['recent']);
    expect((await stat(data)).mode & 0o777).toBe(0o755);
    await chmod(data, 0o777);
    const refused = await cli.run(['recent']);
    expect([refused.code, refused.err]).toEqual([78, expect.stringMatching(/^Other accounts can write to the folder/)]);
    const report = JSON.parse((await cli.run(['doctor', '--json'])).out);
    const { findings } = report as { findings: { check: string; severity: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: 'permissions', severity: 'error' }));
    await cli.run(['doctor', '--fix']);
    expect((await stat(data)).mode & 0o777).toBe(0o755);
    expect((await cli.run(['recent'])).code).toBe(0);
  });

  test('CLI-1: reports a port in use in one line and exits with 1', async () => {
    const server = await cli.serve();
    const second = await cli.run(['serve'], { env: { RECOLLECT_PORT: new URL(server.address).port } });
    expect(second).toEqual({ code: 1, out: '', err: expect.stringMatching(/^Port \d+ is in use\. .*\n$/) });
    await server.stop();
  });

  test('EXT-4: extension package writes the same bytes that the server returns, in any time zone', async () => {
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
    const env = { RECOLLECT_PORT: new URL(server.address).port };
    for (const [browser, TZ] of [
      ['chromium', 'Pacific/Kiritimati'],
      ['firefox', 'America/Adak'],
    ] as const) {
      const response = await fetch(`${server.address}/api/v1/extension/package?browser=${browser}`);
      const given = Buffer.from(await response.arrayBuffer());
      const written = await cli.run(['extension', 'package', '--out', 'x.zip', '--browser', browser], {
        env: { ...env, TZ },
      });
      expect([written.code, written.err]).toEqual([0, '']);
      expect(written.out).toContain(server.address);
      expect((await readFile(join(cli.folder, 'x.zip'))).equals(given)).toBe(true);
    }
    await server.stop();
    const underPath = await cli.run(['extension', 'package', '--out', 'x.zip'], {
      env: { RECOLLECT_PUBLIC_URL: 'https://host.example/recollect' },
    });
    expect(underPath.out).toContain('the extension for https://host.example/recollect to');
    const nowhere = await cli.run(['extension', 'package', '--out', 'no/folder/x.zip'], { env });
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringMatching(/cannot be written/)]);
    const hosts = await cli.run(['extension', 'package', '--out', 'x.zip'], { env: { RECOLLECT_OPENCLAW_HOSTS: '*' } });
    expect([hosts.code, hosts.err]).toEqual([78, expect.stringMatching(/RECOLLECT_OPENCLAW_HOSTS must be host names/)]);
  });

  test('CAP-5: an answered capture survives kill -9', async () => {
    const server = await cli.serve();
    const saved: number[] = [];
    for (let at = 0; at < 20; at++) {
      const response = await fetch(`${server.address}/api/v1/capture`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pageText: `Capture ${at}` }),
      });
      if (response.ok) saved.push(at);
    }
    await server.stop('SIGKILL');
    const { memories } = await cli.json(['recent', '--limit', '100']);
    expect(memories.length).toBe(saved.length);
    expect(saved.length).toBe(20);
  });

  test('CLI-1: concurrent first starts and a killed first start leave an intact store', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => cli.run(['recent'])));
    expect(outcomes.map(({ code, err }) => [code, err])).toEqual(Array(4).fill([0, '']));
    for (const wait of [60, 100, 150, 200]) {
      const env = { RECOLLECT_DATA_DIR: join(cli.folder, `killed-${wait}`) };
      const child = cli.start(['recent'], env);
      setTimeout(() => child.kill('SIGKILL'), wait);
      await new Promise((resolve) => child.on('exit', resolve));
      expect(await cli.run(['recent'], { env })).toMatchObject({ code: 0, err: '' });
    }
  });

  test('CAP-9: without a model, the server stays idle and does not run the blocked job', { tags: 'long' }, async () => {
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
    await fetch(`${server.address}/api/v1/capture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"pageText":"x"}',
    });
    const job = async () =>
      (
        (await (await fetch(`${server.address}/api/v1/reindex`)).json()) as {
          latestJob: { status: string; updatedAt: string };
        }
      ).latestJob;
    const before = await job();
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect([before.status, await job()]).toEqual(['blocked', before]);
    await server.stop();
  });

  test('CAP-9: the server indexes what another process saved without embeddings', async () => {
    await cli.run(['capture', '-'], { input: 'Saved without embeddings.' });
    const model = await serveModel();
    const server = await cli.serve(model.env);
    await expect
      .poll(
        async () =>
          ((await (await fetch(`${server.address}/api/v1/reindex`)).json()) as { needsReindex: boolean }).needsReindex,
        { timeout: 60_000, interval: 200 },
      )
      .toBe(false);
    expect(await server.stop()).toBe(0);
    model.close();
  });
});
