import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@recollect/contract/client';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService } from './open-service.js';
import { serveProgram } from './serve-program.js';
import { quantile, time } from './statistics.js';

const MEMORIES = 2_000;
const LINKS = 50_000;
/** Requests of each kind before the import, and at least as many during it. */
const REQUESTS = 100;

/**
 * Measures lists, queries and captures of a person while another one imports 50,000 links, as multiples of the same
 * requests at rest. Server and clients are two processes.
 */
export async function measureNeighbour(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const random = createRandom(11);
  const word = createWords(random);
  try {
    const filling = await openService({ withModel: true, folder });
    await fill(filling, MEMORIES, random, word);
    const core = createCore({ ...filling.storage });
    const { id } = await core.people.create({ name: 'Neighbour' });
    const [own, others] = [await core.apiKeys.create(LOCAL_USER), await core.apiKeys.create(id)];
    await filling.close();
    const env = { RECOLLECT_PORT: '0', RECOLLECT_RATE_LIMIT: 'off', RECOLLECT_BACKUPS: 'off' };
    const server = await serveProgram({ ...process.env, ...env, RECOLLECT_DATA_DIR: folder });
    const client = createClient({ baseUrl: server.address, apiKey: own.key });
    const requests = {
      list: () => client('listMemories', { query: { limit: 50 } }),
      query: () => client('query', { body: { query: createText(word, 5) } }),
      capture: () => client('capture', { body: { title: createText(word, 4), pageText: createText(word, 120) } }),
    };
    const measure = async (isDone: () => boolean) => {
      const times: Record<keyof typeof requests, number[]> = { list: [], query: [], capture: [] };
      while (!isDone() || times.list.length < REQUESTS)
        for (const [kind, request] of Object.entries(requests))
          times[kind as keyof typeof requests].push(await time(request));
      return times;
    };
    await measure(() => true);
    const quiet = await measure(() => true);
    let isDone = false;
    const imported = fetch(`${server.address}/api/v1/import?name=bookmarks.html`, {
      method: 'POST',
      headers: { authorization: `Bearer ${others.key}`, 'content-type': 'application/octet-stream' },
      body: bookmarks(),
    }).then(async (response) => {
      if (!response.ok) throw new Error(`The import failed: ${await response.text()}`);
      await response.text();
      isDone = true;
    });
    const beside = await measure(() => isDone);
    await imported;
    await server.stop();
    return (Object.keys(requests) as (keyof typeof requests)[]).map((kind) => ({
      name: `${kind} beside an import of ${LINKS.toLocaleString('en')} links by someone else, p95 to p95 at rest`,
      value: quantile(beside[kind], 0.95) / quantile(quiet[kind], 0.95),
      unit: 'times',
      limit: 2,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The bookmarks of a browser. */
function bookmarks(): string {
  const links = Array.from(
    { length: LINKS },
    (_, at) => `<DT><A HREF="https://site${at % 500}.example/page/${at}">Page ${at} of site ${at % 500}</A>`,
  );
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${links.join('\n')}\n</DL><p>\n`;
}
