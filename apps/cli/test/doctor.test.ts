import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
const data = (...names: string[]) => join(cli.folder, 'data', ...names);
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

test('SYS-1, REL-6: a damaged store is served read-only, and doctor says what to do', async () => {
  const saved = await cli.run(['capture', '-', '--json'], { input: 'kept in spite of the damage' });
  const { id } = JSON.parse(saved.out).captures[0];
  const newest = basename(JSON.parse((await cli.run(['backup', '--json'])).out).path);
  expect((await cli.run(['doctor', '--json'])).code).toBe(0);
  await truncate(data('recollect.db'), (await stat(data('recollect.db'))).size - 8192);
  const damaged = await readFile(data('recollect.db'));

  const server = await cli.serve();
  const ask = async (path: string, options = {}) => {
    const response = await fetch(server.address + path, options);
    return { status: response.status, body: await response.json() };
  };
  const health = await ask('/healthz');
  expect([health.status, health.body.code, health.body.detail]).toEqual([
    503,
    'STORE_DAMAGED',
    expect.stringContaining(newest),
  ]);
  expect((await ask(`/api/v1/memories/${id}`)).body.text).toContain('kept in spite');
  const headers = { 'content-type': 'application/json' };
  const capture = { method: 'POST', headers, body: JSON.stringify({ pageText: 'too late' }) };
  expect((await ask('/api/v1/capture', capture)).body.code).toBe('STORE_DAMAGED');
  expect((await cli.run(['status'])).out).toMatch(/problem: .*damaged.*manual\.db/);
  expect(await server.stop()).toBe(0);
  expect(server.printed()).not.toContain('Everything is saved');

  const examined = await cli.run(['doctor', '--fix', '--json']);
  const { ok, findings } = JSON.parse(examined.out);
  expect([examined.code, ok]).toEqual([1, false]);
  expect(findings.find(({ check }: { check: string }) => check === 'file')).toMatchObject({
    severity: 'error',
    message: expect.stringContaining(newest),
  });
  const target = join(cli.folder, 'salvaged');
  expect((await cli.run(['doctor', '--salvage', target])).out).toMatch(/1 memory written to/);
  const lines = (await readFile(join(target, 'recollect-salvaged.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { recollect: 'export', schema: 1 },
    { id, text: expect.stringContaining('kept in spite') },
    { recollect: 'end', memories: 1 },
  ]);
  expect((await cli.run(['doctor', '--salvage', target])).code).toBe(78);
  const other = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  try {
    const imported = await other.run(['import', join(target, 'recollect-salvaged.jsonl'), '--json']);
    expect(JSON.parse(imported.out)).toMatchObject({ found: 1, created: 1, failed: [] });
  } finally {
    await other.remove();
  }
  expect(await readFile(data('recollect.db'))).toEqual(damaged);

  await writeFile(data('recollect.db'), 'no database at all');
  const unreadable = await cli.run(['doctor', '--json']);
  expect([unreadable.code, JSON.parse(unreadable.out).findings[0].check]).toEqual([1, 'file']);
  const refused = await cli.run(['recent']);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/recollect doctor.*recollect restore.*manual\.db/),
  ]);
});

test('QRY-18: doctor search compares the present search with that of another model, and says what to set for it', async () => {
  expect((await cli.run(['doctor', 'search', '--model', 'shipped'])).out).toContain('nothing to ask for yet');
  await cli.save('Steep green tea below boiling water, because boiling water makes it bitter.', '--title', 'Green tea');
  await cli.save('Bees dance to tell other bees where flowers with nectar are.', '--title', 'Bees');
  const { out, err } = await cli.run(['doctor', 'search', '--model', 'shipped']);
  expect(err).toBe('');
  expect(out).toMatch(/^4 questions made from your 2 memories, which were copied/);
  expect(out).toMatch(/by words only +other model\ntitles +2 +100 % first, +100 % in ten +100 % first/);
  expect(out).toContain('To use the other model, unset RECOLLECT_EMBEDDINGS, and restart');
  const same = await cli.run(['doctor', 'search', '--model', 'shipped'], { env: { RECOLLECT_EMBEDDINGS: 'on' } });
  expect([same.code, same.err]).toEqual([2, '--model: shipped is in use already. Name another folder.\n']);
  const wrong = await cli.run(['doctor', 'search', '--model', cli.folder]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^--model: .*config\.json/)]);
});
