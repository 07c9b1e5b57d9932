import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.js';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off', TZ: 'Asia/Tokyo' });
});
afterAll(() => cli.remove());

test('CLI-3: without a command and a store, says what to type next, and makes no store', async () => {
  const { code, out } = await cli.run([]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^Recollect \S+\nstore: +\S+, which is still empty\nserver: +not running; start it with: recollect serve\n/,
    ),
  ]);
  expect(out).toContain('recollect capture https://example.com/article');
  expect(existsSync(join(cli.folder, 'data'))).toBe(false);
});

test.each([
  [
    'RECOLLECT_PROT',
    'There is no setting RECOLLECT_PROT. Did you mean RECOLLECT_PORT? docs/configuration.md lists all settings.\n',
  ],
  ['RECOLLECT_XYZZY', 'There is no setting RECOLLECT_XYZZY. docs/configuration.md lists all settings.\n'],
])('CLI-1: the unknown setting %s is rejected', async (name, message) => {
  expect(await cli.run(['recent'], { env: { [name]: '5190' } })).toEqual({ code: 78, out: '', err: message });
});

describe('with a server', () => {
  let server: Awaited<ReturnType<Cli['serve']>>;
  const ids: string[] = [];
  beforeAll(async () => {
    server = await cli.serve();
    for (const [text, ...options] of [
      ['Green tea is steeped below boiling.', '--tag', 'home'],
      ['Black tea needs boiling water.', '--tag', 'office'],
    ] as const)
      ids.push(await cli.save(text, ...options));
  });
  afterAll(() => server.stop());

  test('the message of the server, saving and the status name a store that is not the usual one', async () => {
    const folder = join(cli.folder, 'data');
    expect(server.printed()).toContain(`Try, in another terminal:\n  export RECOLLECT_DATA_DIR=${folder}\n`);
    const saved = await cli.run(['capture', '-'], { input: 'Water boils at 100 degrees.' });
    expect(saved.out).toMatch(/^Saved Water boils .*\n/);
    expect(saved.out).toContain(`in ${folder}\n`);
    for (const command of [['status'], []]) {
      const { out } = await cli.run(command);
      expect(out).toContain(`store:      ${join(folder, 'recollect.db')}`);
      expect(out).toContain(`server:     running at ${server.address}\n`);
    }
    expect((await cli.json(['status'])).server).toBe(server.address);
  });

  test('CLI-2: a memory is named by its place in the last list, or by the beginning of its id', async () => {
    expect((await cli.run(['show', '@1'])).err).toContain('There is no @1. No list has been shown yet.');
    const { out } = await cli.run(['search', 'boiling', 'tea', 'needs']);
    expect(out).toMatch(/^@1 Black tea needs boiling water/);
    expect((await cli.run(['show', '@1'])).out).toContain('Black tea needs boiling water.');
    expect((await cli.run(['show', '@20'])).err).toMatch(/^There is no @20\. The last list had \d memories\./);
    expect((await cli.run(['edit', '@1', '--title', 'Black tea'])).out).toMatch(/^Changed Black tea/);
    const [green = '', black = ''] = ids;
    const same = Array.from(green).findIndex((letter, at) => letter !== black[at]);
    const several = await cli.run(['show', green.slice(0, same)]);
    expect([several.code, several.err]).toEqual([
      1,
      expect.stringMatching(/^Several ids begin with .*Type more of one:\n/),
    ]);
    for (const id of [green, black]) expect(several.err).toContain(id);
    expect((await cli.run(['show', green.slice(0, same + 1).toUpperCase()])).out).toContain('Green tea');
    expect((await cli.run(['show', '0000'])).err).toContain('no memory with this id');
    expect((await cli.run(['recent'])).out).toMatch(/\n@1 +(?:just now|\d minutes? ago) .*\n@2 /);
    expect((await cli.run(['delete', '@1'])).out).toMatch(/^1 memory moved to the trash\./);
    const { changeId } = await cli.json(['delete', green]);
    expect(await cli.json(['undo', changeId.slice(0, -1)])).toMatchObject({ changed: 1 });
    expect((await cli.run(['trash'])).out).toContain('@1');
    expect((await cli.run(['trash', 'restore', '@1'])).out).toMatch(/^Restored /);
  });

  test('MEM-12: finds memories, also deleted ones, and changes by the beginning of their ids', async () => {
    const { changeId } = await cli.json(['delete', ids[0] ?? '']);
    const find = (prefix: string) => ask(server.address, 'GET', `/api/v1/ids?prefix=${prefix}`);
    expect((await find(ids[0] ?? '')).body).toEqual({
      memories: [{ id: ids[0], title: expect.stringContaining('Green'), isDeleted: true }],
      changes: [],
    });
    expect((await find(changeId)).body).toEqual({ memories: [], changes: [changeId] });
    for (const prefix of ['', '019', 'zzzz', "0190' or 1=1", '0'.repeat(37)])
      expect([prefix, (await find(encodeURIComponent(prefix))).status]).toEqual([prefix, 400]);
    await cli.json(['undo', changeId]);
  });

  test('SYS-9: an unknown parameter is rejected, and an unknown field is named', async () => {
    const listed = await ask(server.address, 'GET', '/api/v1/memories?trash=true');
    expect([listed.status, listed.body.code, listed.body.detail]).toEqual([
      400,
      'VALIDATION_FAILED',
      expect.stringMatching(
        /^The address has a parameter that this operation does not know\. Known are limit, cursor, .*tag/,
      ),
    ]);
    expect((await ask(server.address, 'GET', '/api/v1/memories?tagg=home')).body.detail).toContain('Did you mean tag?');
    expect((await ask(server.address, 'GET', '/api/v1/tags?x=1')).body.detail).toContain('There are none.');
    const save = async (body: object) => (await ask(server.address, 'POST', '/api/v1/capture', body)).body;
    expect((await save({ pageText: 'Known', tags: ['home'] })).warnings).toBeUndefined();
    expect((await save({ pageText: 'Tagged', tagz: ['home'], metadata: { anything: 1 } })).warnings).toEqual([
      'The field /tagz is unknown and was ignored. Did you mean tags?',
    ]);
    const nested = await save({
      captures: [{ messages: [{ role: 'user', text: 'a', txet: 'b' }] }, { pageText: 'c', zzzzzzzzz: 1 }],
    });
    expect(nested.warnings).toEqual([
      'The field /captures/0/messages/0/txet is unknown and was ignored. Did you mean text?',
      'The field /captures/1/zzzzzzzzz is unknown and was ignored.',
    ]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${'x'.repeat(500)}${at}`, 1]));
    const { warnings } = await save({ pageText: 'Many', ...many });
    expect(warnings).toHaveLength(10);
    expect(Math.max(...warnings.map((warning: string) => warning.length))).toBeLessThan(120);
    const found = await ask(server.address, 'POST', '/api/v1/capture/query', { query: 'tea before:soon', limits: 3 });
    expect(found.body.warnings).toEqual([
      expect.stringMatching(/^The value of before: cannot be read/),
      'The field /limits is unknown and was ignored. Did you mean limit?',
    ]);
  });

  test('CLI-3: shows times in the time zone of the machine', async () => {
    const { capturedAt } = await cli.json(['show', ids[0] ?? '']);
    const tokyo = new Date(Date.parse(capturedAt) + 9 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
    expect((await cli.run(['show', ids[0] ?? ''])).out).toContain(`captured: ${tokyo}\n`);
    expect((await cli.run(['history', ids[0] ?? ''])).out).toContain(`0  ${tokyo}  saved by the command line`);
  });

  test('CLI-1: search takes filters without words, dates as people write them, and ends with 1 if nothing is found', async () => {
    const { results } = await cli.json(['search', '--tag', 'home']);
    expect(results.map(({ id }: { id: string }) => id)).toContain(ids[0]);
    expect((await cli.json(['search', 'tea', '--since', 'yesterday', '--until', '31.12.2999'])).results).toHaveLength(
      2,
    );
    expect(await cli.run(['search', 'tea', '--until', '2 weeks ago'])).toMatchObject({
      code: 1,
      out: 'No matches.\n',
    });
    expect(await cli.run(['search', 'tea before:31.12.2020'])).toMatchObject({ code: 1, err: '' });
    const excluded = JSON.parse((await cli.run(['search', '--json', '--', '-tag:home'])).out);
    expect(excluded.results.length).toBeGreaterThan(0);
    expect(excluded.results.map(({ id }: { id: string }) => id)).not.toContain(ids[0]);
    expect(await cli.run(['search', '-tag:home'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('recollect search -- -tag:done'),
    });
    const unclear = await cli.run(['search', 'tea', '--since', '1/2/2026']);
    expect([unclear.code, unclear.err]).toEqual([
      2,
      expect.stringMatching(/^--since must be a date .* such as 2026-01-31, 31\.1\.2026/),
    ]);
    const words = await cli.run(['search', 'tea', 'after:1/2/2026']);
    expect([words.code, words.err]).toEqual([
      0,
      expect.stringMatching(/^The value of after: cannot be read.* Write it like after:2026-01-31/),
    ]);
    expect(await cli.run(['search'])).toMatchObject({ code: 2, err: expect.stringContaining('--tag recipe') });
  });
});
