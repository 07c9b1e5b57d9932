import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchRun } from '@recollect/contract';
import { type Client, createClient } from '@recollect/contract/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let site: Server;
let base: string;
let respond: RequestListener;
let asked: string[];
let cli: Cli;
beforeEach(async () => {
  asked = [];
  site = createServer((request, response) => {
    asked.push(request.url ?? '');
    respond(request, response);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(async () => {
  await cli.remove();
  site.closeAllConnections();
  site.close();
});

const page = (title: string) =>
  `<!doctype html><title>${title}</title><article><h1>${title}</h1><p>The page of ${title} has enough words to be read.</p></article>`;

/** Saves links without a text. Resolves to their ids. */
async function saveLinks(client: Client, ...urls: string[]): Promise<string[]> {
  const captures = urls.map((url) => ({ url, title: `Link to ${url}` }));
  return (await client('capture', { body: { captures } })).captures.map(({ id }) => id);
}

async function untilEnded(client: Client, { id }: FetchRun): Promise<FetchRun> {
  const read = () => client('fetchState', { parameters: { id } });
  await expect.poll(async () => (await read()).state).not.toBe('running');
  return read();
}

test('SYS-14, SYS-15: the server gets the pages of links, and reports what became of each', async () => {
  respond = ({ url = '' }, response) => {
    if (url === '/gone') return response.writeHead(404).end();
    if (url === '/song') return response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('x');
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page(url.slice(1)));
  };
  const client = createClient({ baseUrl: (await cli.serve({ RECOLLECT_FETCH: 'private' })).address });
  const [tea = '', gone = ''] = await saveLinks(client, `${base}/tea`, `${base}/gone`, `${base}/song`);
  const started = await client('startFetch', { body: {} });
  expect(started).toMatchObject({ total: 3, problem: null });
  const ended = await untilEnded(client, started);
  expect(ended).toMatchObject({ state: 'done', fetched: 1, gone: 1, failed: 1, left: 0 });
  const saved = ended.outcomes.find(({ outcome }) => outcome === 'fetched');
  expect(saved).toMatchObject({ id: tea, memoryId: tea, reason: null });
  expect(await client('getMemory', { parameters: { id: tea } })).toMatchObject({
    isLink: false,
    text: expect.stringContaining('enough words'),
  });
  expect((await client('getMemory', { parameters: { id: gone } })).tags).toEqual(['dead-link']);
  expect((await client('listFetches', {})).fetches).toEqual([ended]);
  await expect(client('startFetch', { body: { ids: [tea] } })).rejects.toThrow('Not a link');
  await expect(client('startFetch', { body: { filter: 'words' } })).rejects.toThrow('operators only');
  await expect(client('fetchState', { parameters: { id: 'nothing' } })).rejects.toThrow('no fetch with this id');
});

test('SYS-16: a fetch can be paused, continued and stopped', async () => {
  const held: (() => void)[] = [];
  respond = (_, response) => {
    held.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page('Held')));
  };
  const client = createClient({ baseUrl: (await cli.serve({ RECOLLECT_FETCH: 'private' })).address });
  await saveLinks(client, ...Array.from({ length: 6 }, (_, at) => `${base}/${at}`));
  const { id } = await client('startFetch', { body: {} });
  await expect.poll(() => held.length).toBe(2);
  const change = (state: 'running' | 'paused' | 'stopped') =>
    client('changeFetch', { parameters: { id }, body: { state } });
  expect((await change('paused')).state).toBe('paused');
  for (const answer of held.splice(0)) answer();
  await expect.poll(async () => (await client('fetchState', { parameters: { id } })).fetched).toBeGreaterThan(0);
  expect(asked).toHaveLength(2);
  await change('running');
  await expect.poll(() => held.length).toBe(2);
  const stopped = await change('stopped');
  expect(stopped.state).toBe('stopped');
  expect(stopped.fetched + stopped.failed + stopped.left).toBe(6);
  expect((await change('running')).state).toBe('stopped');
});

test('SYS-17, SEC-12: the server asks no private network, by address, name or redirect', async () => {
  respond = (_, response) => response.end('Secret.');
  const { port } = site.address() as AddressInfo;
  const client = createClient({ baseUrl: (await cli.serve()).address });
  await saveLinks(client, `${base}/a`, `http://localhost:${port}/b`, `http://[::ffff:127.0.0.1]:${port}/c`);
  const ended = await untilEnded(client, await client('startFetch', { body: {} }));
  expect(ended).toMatchObject({ state: 'done', fetched: 0, failed: 3 });
  expect(ended.outcomes.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/private network\. The setting RECOLLECT_FETCH/)),
  );
  expect(asked).toEqual([]);
});

test('SYS-17: gets nothing where fetching is off', async () => {
  const client = createClient({ baseUrl: (await cli.serve({ RECOLLECT_FETCH: 'off' })).address });
  await saveLinks(client, `${base}/a`);
  await expect(client('startFetch', { body: {} })).rejects.toMatchObject({ problem: { code: 'FETCH_OFF' } });
});
