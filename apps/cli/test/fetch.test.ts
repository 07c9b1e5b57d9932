import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FetchedLink } from '@recollect/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchLinks } from '../src/sources/fetch-links.js';
import { createPublicFetch } from '../src/sources/fetch-page.js';
import { LAMPS } from './lamps.js';
import { type Cli, createCli } from './run-cli.js';

let server: Server;
let base: string;
let respond: RequestListener;
let asked: string[];
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    respond(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const html = (title: string, ...paragraphs: string[]) =>
  `<!doctype html><title>${title}</title><article><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article>`;

describe('recollect fetch', () => {
  let cli: Cli;
  beforeEach(async () => {
    cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  });
  afterEach(() => cli.remove());

  /** Imports bookmarks: their path, name and description. */
  const bookmark = async (...links: [path: string, name: string, description?: string][]) => {
    const file = join(cli.folder, 'bookmarks.html');
    const entries = links.map(
      ([path, name, text]) =>
        `<DT><A ADD_DATE="1500000000" HREF="${path.startsWith('http') ? '' : base}${path}" TAGS="kept">${name}</A>${text === undefined ? '' : `<DD>${text}`}`,
    );
    await writeFile(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${entries.join('\n')}</DL>`);
    expect(await cli.json(['import', file])).toMatchObject({ created: links.length });
  };

  test('IMP-7: links become their pages, what cannot be fetched is named, and again only the rest is asked for', async () => {
    const pages: Record<string, [status: number, type: string, body: string | Buffer]> = {
      '/tea': [200, 'text/html', html('Tea', 'Green tea is steeped for two minutes, in water that does not boil.')],
      '/oven': [200, 'text/html', html('Ovens', 'An oven of clay keeps its heat for half a day after the fire.')],
      '/notes': [200, 'text/plain', 'Salt keeps butter from turning.'],
      '/gone': [404, 'text/html', 'Not here.'],
      '/broken': [500, 'text/html', ''],
      '/paper.pdf': [200, 'application/pdf', '%PDF-1.7'],
      '/lamps.pdf': [200, 'application/pdf', await readFile(LAMPS)],
      '/song': [200, 'audio/mpeg', 'x'],
      '/empty': [200, 'text/html', '<title>Nothing</title>'],
      '/account/sign-in?to=/mine': [200, 'text/html', html('Welcome', 'Sign in to go on to your pages.')],
      '/wall': [200, 'text/html', html('Just a moment...', 'Enable JavaScript and cookies to continue.')],
      '/': [200, 'text/html', html('Home', 'Welcome to the start page of this site.')],
    };
    respond = (request, response) => {
      if (request.url === '/moved') return response.writeHead(301, { location: '/' }).end();
      if (request.url === '/mine') return response.writeHead(302, { location: '/account/sign-in?to=/mine' }).end();
      const [status, type, body] = pages[request.url ?? ''] ?? [404, 'text/plain', ''];
      return response.writeHead(status, { 'content-type': type }).end(body);
    };
    await bookmark(
      ['/tea', 'My tea'],
      ['/oven', 'An oven', 'How to build one of clay.'],
      ['/notes', 'On salt'],
      ['/gone', 'Gone'],
      ['/broken', 'Broken'],
      ['/moved', 'Moved'],
      ['/mine', 'My page'],
      ['/wall', 'Walled'],
      ['/paper.pdf', 'A paper'],
      ['/lamps.pdf', 'On lamps'],
      ['/song', 'A song'],
      ['/empty', 'Empty'],
    );
    const first = await cli.run(['fetch', '--private', '--json']);
    const report = JSON.parse(first.out);
    const reasons = (kind: string) =>
      report[kind].map(({ title, reason }: { title: string; reason: string }) => `${title}: ${reason}`).sort();
    expect(report.fetched.map(({ title }: { title: string }) => title).sort()).toEqual([
      'An oven',
      'My tea',
      'On lamps',
      'On salt',
    ]);
    expect(reasons('gone')).toEqual(['Gone: The server responded with status 404. Nothing was saved.']);
    expect(reasons('failed')).toEqual([
      'A paper: The PDF is damaged or incomplete.',
      'A song: This type of content cannot be saved. The page must be HTML, Markdown, plain text or a PDF.',
      'Broken: The server responded with status 500. Nothing was saved.',
      'Empty: No text found.',
      'Moved: It leads to the start page of its site now.',
      'My page: It leads to a page that asks you to log in or to agree. Save it with the extension.',
      'Walled: Its site shows programs a check instead of the page. Save it with the extension.',
    ]);
    expect([first.code, report.links, report.left]).toEqual([1, 12, []]);

    const [tea] = (await cli.json(['search', 'steeped'])).results;
    expect(await cli.json(['show', tea.id])).toMatchObject({
      title: 'My tea',
      tags: ['kept'],
      url: `${base}/tea`,
      capturedAt: '2017-07-14T02:40:00.000Z',
      metadata: { fetchedAt: expect.stringContaining('T') },
    });
    const link = report.fetched.find(({ title }: { title: string }) => title === 'An oven');
    expect(link.memoryId).not.toBe(link.id);
    const beside = await cli.json(['show', link.memoryId]);
    expect([beside.text, beside.tags]).toEqual([expect.stringContaining('An oven of clay'), ['kept']]);
    expect((await cli.json(['show', link.id])).text).toContain('How to build one of clay.');
    const dead = (await cli.json(['recent', '--tag', 'dead-link'])).memories;
    expect(dead.map(({ title }: { title: string }) => title)).toEqual(['Gone']);

    asked = [];
    pages['/broken'] = [200, 'text/html', html('Back', 'It was broken for a day, and works again.')];
    const again = await cli.run(['fetch', '--private', '--tag', 'kept']);
    expect(asked.sort()).toEqual([
      '/',
      '/account/sign-in?to=/mine',
      '/broken',
      '/empty',
      '/mine',
      '/moved',
      '/paper.pdf',
      '/song',
      '/wall',
    ]);
    expect([again.code, again.out.split('\n').at(-2)]).toEqual([
      1,
      '1 of 7 pages fetched. 6 pages could not be fetched.',
    ]);
    expect(again.err).toContain(`${base}/empty: No text found.\n`);

    pages['/gone'] = [200, 'text/plain', 'It was only away.'];
    expect((await cli.run(['fetch', '--private', dead[0].id])).out).toContain('1 of 1 page fetched.');
    expect(await cli.json(['show', dead[0].id])).toMatchObject({
      title: 'Gone',
      text: 'It was only away.',
      tags: ['kept'],
    });
    const known = await cli.run(['fetch', dead[0].id]);
    expect(known).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Not a link') });
    expect((await cli.run(['fetch', dead[0].id, '--tag', 'kept'])).code).toBe(2);
  });

  test('IMP-7, SEC-12: nothing in a private network is asked for, unless the user wants it', async () => {
    respond = (_, response) => response.end('Secret.');
    const { port } = server.address() as AddressInfo;
    await bookmark(
      ['/device', 'A device'],
      [`http://localhost:${port}/name`, 'By its name'],
      [`http://[::ffff:127.0.0.1]:${port}/six`, 'In IPv6'],
    );
    const refused = await cli.run(['fetch']);
    expect([refused.code, asked]).toEqual([1, []]);
    expect(refused.err.match(/It is in a private network\./g)).toHaveLength(3);
    expect((await cli.run(['fetch', '--private', '--limit', '1'])).code).toBe(0);
    expect(asked).toHaveLength(1);
  });

  test('IMP-7: without links there is nothing to do', async () => {
    await cli.save('A note.');
    expect(await cli.run(['fetch'])).toMatchObject({ code: 0, out: 'There are no links whose pages are not saved.\n' });
  });

  test('IMP-11, MEM-17: reads saved pages anew, keeps what was added to them, and leaves others', async () => {
    const pages: Record<string, string> = {
      '/tea': html('Tea', 'Green tea is steeped for two minutes, in water that does not boil.'),
      '/oven': html('Ovens', 'An oven of clay keeps its heat for half a day after the fire.'),
      '/lost': html('Lost', 'A page that will be gone when it is read for the second time.'),
    };
    respond = (request, response) => {
      const page = pages[request.url ?? ''];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
    };
    const idOf: Record<string, string> = {};
    for (const path of Object.keys(pages))
      idOf[path] = (await cli.json(['capture', `${base}${path}`, '--tag', 'kept', '--note', 'mine'])).captures[0].id;
    pages['/tea'] = html('Tea', 'Black tea is steeped for four minutes, in water that boils.');
    delete pages['/lost'];
    asked = [];
    const { out, code } = await cli.run(['fetch', '--again', 'tag:kept', '--private', '--json']);
    const report = JSON.parse(out);
    expect([code, asked.sort()]).toEqual([0, ['/lost', '/oven', '/tea']]);
    const ids = (kind: string) => report[kind].map(({ id }: { id: string }) => id);
    expect([ids('fetched'), ids('unchanged'), ids('gone'), report.failed]).toEqual([
      [idOf['/tea']],
      [idOf['/oven']],
      [idOf['/lost']],
      [],
    ]);
    const tea = await cli.json(['show', idOf['/tea'] ?? '']);
    expect(tea).toMatchObject({ title: 'Tea', note: 'mine', tags: ['kept'], url: `${base}/tea` });
    expect([tea.text.includes('Black tea'), tea.text.includes('Green')]).toEqual([true, false]);
    expect(await cli.json(['show', idOf['/lost'] ?? ''])).toMatchObject({ tags: ['kept'] });

    pages['/oven'] = html('Ovens', 'An oven of brick keeps its heat for a whole day.');
    expect((await cli.run(['fetch', '--again', idOf['/oven'] ?? '', '--private'])).out).toContain(
      '1 of 1 page fetched.',
    );
    expect((await cli.run(['fetch', '--again', 'brick', 'oven', '--private'])).out).toContain(
      'the same text as before',
    );
    expect((await cli.run(['fetch', '--again', 'site:nowhere.example'])).out).toContain(
      'No page that the command line',
    );
    const aimless = await cli.run(['fetch', '--again']);
    expect([aimless.code, aimless.err]).toEqual([2, expect.stringContaining('Say which pages to read anew')]);
    const note = (await cli.json(['capture', '--text', 'Not a page.'])).captures[0].id;
    expect((await cli.run(['fetch', '--again', note])).err).toContain('Not a saved page with an address');
  });
});

describe('fetchLinks', () => {
  const linkTo = (url: string) => ({ id: url, title: url, url, tags: [], capturedAt: '2026-01-31T12:00:00.000Z' });
  const run = async (urls: readonly string[], signal = new AbortController().signal, onEach = () => {}) => {
    const outcomes: FetchedLink[] = [];
    await fetchLinks(urls.map(linkTo), {
      fetch: globalThis.fetch,
      signal,
      onLink: async (fetched) => {
        outcomes.push(fetched);
        onEach();
      },
    });
    return outcomes;
  };

  test('IMP-7: a host gets two requests at a time', async () => {
    let open = 0;
    let most = 0;
    respond = (_, response) => {
      open += 1;
      most = Math.max(most, open);
      // Concurrent requests arrive within a few turns of the event loop.
      const wait = (turns: number) =>
        turns > 0
          ? setImmediate(wait, turns - 1)
          : response.end('Text.', () => {
              open -= 1;
            });
      wait(50);
    };
    expect(await run(Array.from({ length: 8 }, (_, at) => `${base}/${at}`))).toHaveLength(8);
    expect(most).toBe(2);
  });

  test('IMP-7: sends no more requests to a host that limits them or does not answer', async () => {
    respond = (_, response) => response.writeHead(429).end();
    const busy = await run(Array.from({ length: 6 }, (_, at) => `${base}/${at}`));
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(busy.filter(({ kind }) => kind === 'left')).toHaveLength(6 - asked.length);

    respond = (request) => request.socket.destroy();
    asked = [];
    const silent = await run(Array.from({ length: 6 }, (_, at) => `${base}/${at}`));
    expect(new Set(asked).size).toBeLessThanOrEqual(3);
    const left = silent.filter((link) => link.kind === 'left' && link.reason === 'Its site did not answer before.');
    expect(left.length).toBeGreaterThanOrEqual(3);
  });

  test('IMP-7: when it is stopped, the others are left', async () => {
    respond = (_, response) => response.end('Text.');
    const stopping = new AbortController();
    const outcomes = await run([`${base}/1`, `${base}/2`, `${base}/3`, `${base}/4`], stopping.signal, () =>
      stopping.abort(),
    );
    expect(outcomes[0]?.kind).toBe('fetched');
    expect(outcomes.at(-1)).toMatchObject({ kind: 'left', reason: 'Stopped.' });
  });

  test('IMP-7: if a page cannot be saved, since the store is gone, no other is asked for', async () => {
    respond = (_, response) => response.end('Text.');
    const urls = Array.from({ length: 8 }, (_, at) => `${base}/${at}`);
    const failing = run(urls, undefined, () => {
      throw new Error('The store is gone.');
    });
    await expect(failing).rejects.toThrow('The store is gone.');
    expect(asked.length).toBeLessThan(4);
  });

  test('SEC-12: a redirect does not lead into a private network', async () => {
    respond = (_, response) => response.writeHead(302, { location: base.replace('127.0.0.1', '127.0.0.2') }).end();
    const init = { headers: {}, signal: AbortSignal.timeout(60_000) };
    const led = createPublicFetch(([address]) => address === '127.0.0.1')(`${base}/to`, init);
    await expect(led).rejects.toMatchObject({ cause: { name: 'RefusedAddressError' } });
    expect(asked).toEqual(['/to']);
  });
});
