import { cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { minilm } from '@recollect/models/minilm';
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
  // The machine's day may end in between.
  expect((await cli.run(['doctor'])).out).toMatch(/backup is \S+ of (?:today|yesterday), \d\d:\d\d\./);
  const target = join(cli.folder, 'salvaged');
  expect((await cli.run(['doctor', '--salvage', target])).out).toMatch(/1 memory written to/);
  const lines = (await readFile(join(target, 'recollect-salvaged.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { recollect: 'export', schema: 1 },
    { id, text: expect.stringContaining('kept in spite') },
    { recollect: 'end', memories: 1 },
  ]);
  const again = await cli.run(['doctor', '--salvage', target]);
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringMatching(/recollect-salvaged\.jsonl exists already\. Choose/),
  ]);
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
  // Nor is a store that is gone replaced by an empty one.
  for (const lose of [() => writeFile(data('recollect.db'), ''), () => rm(data('recollect.db'))]) {
    for (const name of ['recollect.db-wal', 'recollect.db-shm']) await rm(data(name), { force: true });
    await lose();
    const lost = /missing or empty, although there are backups.*recollect restore.*manual\.db/;
    const listed = await cli.run(['recent']);
    expect([listed.code, listed.err]).toEqual([78, expect.stringMatching(lost)]);
    const seen = await cli.run(['doctor']);
    expect([seen.code, seen.out.replace(/\s+/g, ' ')]).toEqual([1, expect.stringMatching(lost)]);
  }
  expect((await cli.run(['restore', '--yes'])).code).toBe(0);
  expect((await cli.json(['show', id])).text).toContain('kept in spite');
});

test('QRY-18: model use takes a model that finds as much, from the next start on, and keeps the present one otherwise', {
  tags: 'long',
}, async () => {
  const home = await createCli();
  const file = join(home.folder, 'data', 'model.json');
  try {
    const set = await home.run(['model', 'use', 'english'], { env: { RECOLLECT_MODEL: 'multilingual' } });
    expect([set.code, set.err]).toEqual([2, expect.stringMatching(/^RECOLLECT_MODEL is set and decides/)]);
    const used = await home.run(['model', 'use', 'english']);
    expect([used.code, used.err]).toEqual([2, 'english is in use already.\n']);
    const none = await home.run(['model', 'use', home.folder]);
    expect([none.code, none.err]).toEqual([2, expect.stringMatching(/^The model: .*config\.json/)]);
    await home.save(
      'Steep green tea below boiling water, because boiling water makes it bitter.',
      '--title',
      'Green tea',
    );
    await home.save('Bees dance to tell other bees where flowers with nectar are.', '--title', 'Bees');
    // The same model in another folder, and one whose similarities say nothing.
    const same = join(home.folder, 'same');
    await cp(minilm.folder, same, { recursive: true });
    const poor = join(home.folder, 'poor');
    await cp(minilm.folder, poor, { recursive: true });
    // Each question is about bees, and words count for nothing.
    const profile = {
      prefixes: { query: 'The bees dance for other bees, to tell them about nectar. ' },
      fusionWeight: 1,
    };
    await writeFile(join(poor, 'profile.json'), JSON.stringify(profile));
    const kept = await home.run(['model', 'use', poor]);
    expect([kept.code, kept.err]).toEqual([1, '']);
    expect(kept.out).toContain(
      `The present model stays, because search would find less. To use ${poor} nevertheless, add --force.`,
    );
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const chosen = await home.json(['model', 'use', same]);
    expect(chosen).toMatchObject({ model: same, isUsed: true, present: { queries: 4 }, other: { queries: 4 } });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ folder: same });
    expect((await home.json(['status'])).model).not.toBe((await cli.json(['status'])).model);
    expect((await home.run(['model', 'use', same])).err).toBe(`${same} is in use already.\n`);
    // The chosen model is missing: commands say what to do, and that works.
    await rm(same, { recursive: true });
    const gone = await home.run(['search', 'tea', '--direct']);
    expect([gone.code, gone.err]).toEqual([78, expect.stringContaining('recollect model use english --force')]);
    const back = await home.run(['model', 'use', 'english', '--force']);
    expect(back.out).toContain('Recollect uses the English model from its next start');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ model: 'english' });
    await writeFile(file, '{');
    const broken = await home.run(['status']);
    expect([broken.code, broken.err]).toEqual([78, expect.stringContaining('model.json cannot be read')]);
  } finally {
    await home.remove();
  }
});

test('QRY-18: doctor search compares two models, and says what to set for the other one', async () => {
  expect((await cli.run(['doctor', 'search', '--model', 'english'])).out).toContain('nothing to ask for yet');
  await cli.save('Steep green tea below boiling water, because boiling water makes it bitter.', '--title', 'Green tea');
  await cli.save('Bees dance to tell other bees where flowers with nectar are.', '--title', 'Bees');
  const { out, err } = await cli.run(['doctor', 'search', '--model', 'english']);
  expect(err).toBe('');
  expect(out).toMatch(/^4 questions made from your 2 memories, which were copied/);
  expect(out).toMatch(/by words only +other model\ntitles +2 +100 % first, +100 % in ten +100 % first/);
  expect(out).toContain(
    'To use the other model, unset RECOLLECT_EMBEDDINGS and run recollect model use english, and restart',
  );
  const same = await cli.run(['doctor', 'search', '--model', 'english'], { env: { RECOLLECT_EMBEDDINGS: 'on' } });
  expect([same.code, same.err]).toEqual([2, expect.stringMatching(/^--model: english is in use already\./)]);
  const wrong = await cli.run(['doctor', 'search', '--model', cli.folder]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^--model: .*config\.json/)]);
});

test('CLI-1: doctor names what keeps the other commands from running', async () => {
  await cli.save('Green tea.');
  const errorsWith = async (env: Record<string, string>) => {
    const { code, out } = await cli.run(['doctor', '--json'], { env });
    const findings: { check: string; severity: string; message: string }[] = JSON.parse(out).findings;
    const errors = findings.filter(({ severity }) => severity === 'error');
    return [code, ...errors.map(({ check, message }) => `${check}: ${message}`)];
  };
  const on = { RECOLLECT_EMBEDDINGS: 'on' };
  expect(await errorsWith({})).toEqual([0]);
  expect(await errorsWith({ ...on, RECOLLECT_MODEL: data() })).toEqual([
    1,
    expect.stringMatching(/^model: RECOLLECT_MODEL: The model folder \S+ has no config\.json/),
  ]);
  expect(await errorsWith({ RECOLLECT_PORT: 'abc' })).toEqual([
    1,
    'settings: RECOLLECT_PORT must be a whole number from 0 to 65535.',
  ]);
  expect(await errorsWith({ RECOLLECT_DATA_DIR: data('recollect.db') })).toEqual([
    1,
    expect.stringMatching(/^store: The folder .* cannot be used\. Set RECOLLECT_DATA_DIR/),
  ]);
  await writeFile(data('model.json'), '{');
  expect(await errorsWith(on)).toEqual([
    1,
    expect.stringMatching(/^settings: .*model use english --force, or multilingual\.$/),
  ]);
  // It offers no repair for what it cannot repair.
  expect((await cli.run(['doctor'], { env: on })).out).not.toContain('--fix');
});
