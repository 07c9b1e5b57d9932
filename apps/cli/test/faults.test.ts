import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, capture } from './ask.js';
import { type Cli, createCli } from './run-cli.js';
import { canMount, mountSmallDisk } from './small-disk.js';

const isWindows = process.platform === 'win32';
const hasStrace = spawnSync('strace', ['-V']).status === 0 && spawnSync('strace', ['-qq', 'true']).status === 0;

let cli: Cli;
const data = (...names: string[]) => join(cli.folder, 'data', ...names);
beforeEach(async () => {
  // A server makes automatic backups, at any time during a test.
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_BACKUPS: 'off' });
});
afterEach(() => cli.remove());

const save = async (...texts: string[]) => {
  for (const input of texts) expect((await cli.run(['capture', '-'], { input })).code).toBe(0);
};
const titles = async () => {
  const { code, out } = await cli.run(['recent', '--limit', '100', '--json']);
  return code === 0 ? JSON.parse(out).memories.map(({ title }: { title: string }) => title) : code;
};
/** The files of the data folder, byte for byte. */
const contents = async () =>
  Promise.all((await readdir(data())).sort().map(async (name) => [name, await readFile(data(name), 'base64')]));

describe('a damaged or foreign store', () => {
  test.skipIf(isWindows)('REL-6: does not change a WAL whose database is missing or empty', async () => {
    const server = await cli.serve();
    expect((await capture(server.address, 'all that there is')).status).toBe(200);
    await server.stop('SIGKILL');
    const whole = await readFile(data('recollect.db'));
    for (const damage of [() => rm(data('recollect.db')), () => writeFile(data('recollect.db'), '')]) {
      await damage();
      const before = await contents();
      for (const command of [['recent'], ['serve']]) {
        const { code, out, err } = await cli.run(command, { isRejected: true });
        expect([code, out, err]).toEqual([78, '', expect.stringMatching(/missing or empty.*Restore recollect\.db/)]);
      }
      expect(await contents()).toEqual(before);
    }
    await writeFile(data('recollect.db'), whole);
    expect(await titles()).toEqual(['all that there is']);
  });

  test.skipIf(isWindows)('REL-6: does not change such a WAL next to the target of a symbolic link', async () => {
    const folder = join(cli.folder, 'elsewhere');
    await mkdir(folder);
    await mkdir(data());
    await symlink(join(folder, 'store.db'), data('recollect.db'));
    const server = await cli.serve();
    expect((await capture(server.address, 'behind a link')).status).toBe(200);
    await server.stop('SIGKILL');
    await rm(join(folder, 'store.db'));
    const wal = await readFile(join(folder, 'store.db-wal'));
    expect(await cli.run(['recent'])).toMatchObject({ code: 78, out: '' });
    expect(await readFile(join(folder, 'store.db-wal'))).toEqual(wal);
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
  });

  test.skipIf(isWindows)('REL-9: does not change a store of a newer version or its WAL', async () => {
    const server = await cli.serve();
    await capture(server.address, 'written by the future');
    const newer = new Sqlite(data('recollect.db'));
    newer.exec("insert into kysely_migration (name, timestamp) values ('9999-future', '2999-01-01')");
    newer.close();
    await server.stop('SIGKILL');
    const files = async () => [await readFile(data('recollect.db')), await readFile(data('recollect.db-wal'))];
    const before = await files();
    const { code, out, err } = await cli.run(['recent']);
    expect([code, out, err]).toEqual([78, '', expect.stringMatching(/newer version.*Nothing was changed/)]);
    expect(await files()).toEqual(before);
  });

  test.skipIf(isWindows)(
    'REL-6: truncating the database under a running server stops nothing and keeps the WAL',
    async () => {
      await save('in the file');
      const server = await cli.serve();
      expect((await capture(server.address, 'in the WAL')).status).toBe(200);
      await truncate(data('recollect.db'), 0);
      const wal = await readFile(data('recollect.db-wal'));
      for (let round = 0; round < 2; round++) {
        const read = await ask(server.address, 'GET', '/api/v1/memories');
        expect([read.status, read.body.code]).toEqual([503, 'STORE_DAMAGED']);
        const written = await capture(server.address, 'too late');
        expect([written.status, written.body.code]).toEqual([503, 'STORE_DAMAGED']);
        expect((await ask(server.address, 'GET', '/healthz')).status).toBe(503);
      }
      expect(await server.stop()).toBe(0);
      expect(server.printed()).not.toContain('Everything is saved');
      expect(await readFile(data('recollect.db-wal'))).toEqual(wal);
    },
  );

  test("REL-9: recognises another program's database and does not change it", async () => {
    for (const mode of ['delete', 'wal']) {
      for (const id of [0, 0x0f_05_51_12]) {
        await rm(data(), { recursive: true, force: true });
        await mkdir(data());
        const other = new Sqlite(data('recollect.db'));
        other.pragma(`journal_mode = ${mode}`);
        other.pragma(`application_id = ${id}`);
        other.exec('create table bookmarks (url text); insert into bookmarks values (1)');
        other.close();
        const before = await contents();
        const { code, out, err } = await cli.run(['recent']);
        expect([code, out, err]).toEqual([
          78,
          '',
          expect.stringMatching(/belongs to another program.*RECOLLECT_DATA_DIR/),
        ]);
        expect(await contents()).toEqual(before);
      }
    }
  });

  test("REL-9: recognises another program's database that has no tables", async () => {
    for (const content of ['pragma user_version = 7', 'create view v as select 1']) {
      await rm(data(), { recursive: true, force: true });
      await mkdir(data());
      const other = new Sqlite(data('recollect.db'));
      other.exec(content);
      other.close();
      const before = await contents();
      expect((await cli.run(['recent'])).code).toBe(78);
      expect(await contents()).toEqual(before);
    }
  });

  test('CLI-1: recognises a store of a version that wrote no application id', async () => {
    await save('old friend');
    const old = new Sqlite(data('recollect.db'));
    old.pragma('application_id = 0');
    old.pragma('user_version = 0');
    old.close();
    expect(await titles()).toEqual(['old friend']);
    const marked = new Sqlite(data('recollect.db'), { readonly: true });
    expect(marked.pragma('application_id', { simple: true })).toBe(0x52_63_6f_6c);
    marked.close();
  });
});

describe('a machine with too few resources', () => {
  test.skipIf(isWindows)('CLI-1: exits with a message if it may open too few files', async () => {
    await save('x');
    const main = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));
    for (const files of [28, 34, 40]) {
      const child = cli.startWith('bash', [
        '-c',
        `ulimit -n ${files}; exec "$0" "$@"`,
        process.execPath,
        main,
        'serve',
      ]);
      const [out, err] = await Promise.all([
        text(child.stdout as NodeJS.ReadableStream),
        text(child.stderr as NodeJS.ReadableStream),
        once(child, 'exit'),
      ]);
      expect([child.exitCode, out, err]).toEqual([1, '', expect.stringMatching(/[Tt]oo many open files.*ulimit -n/)]);
    }
  });
});

describe.skipIf(!canMount())('on a full disk (requires an account that may mount a tmpfs)', () => {
  test('REL-4: rejects writes with the reason and the space needed; reading and stopping still work', async () => {
    const disk = mountSmallDisk(6);
    if (disk === null) throw new Error('The disk was not mounted.');
    const env = { RECOLLECT_DATA_DIR: join(disk.folder, 'data') };
    try {
      const server = await cli.serve({ ...env, RECOLLECT_RATE_LIMIT: 'off' });
      const { body: first } = await capture(server.address, 'the first one');
      disk.fill();
      let last: Awaited<ReturnType<typeof capture>>;
      let saved = 1;
      do {
        last = await capture(server.address, `number ${saved} ${'lorem ipsum '.repeat(500)}`);
        if (last.status === 200) saved += 1;
      } while (last.status === 200);
      const refused = [
        507,
        'STORE_FULL',
        expect.stringMatching(/disk.*full.*nothing was changed.*Free at least \d+ MB/),
      ];
      expect([last.status, last.body.code, last.body.detail]).toEqual(refused);
      const path = `/api/v1/memories/${first.captures[0].id}`;
      let deleted = 0;
      // A small change may still fit into what is left.
      for (const [method, given] of [
        ['DELETE', undefined],
        ['PATCH', { note: 'n'.repeat(20_000) }],
      ] as const) {
        const { status, body } = await ask(server.address, method, path, given);
        if (status >= 400) expect([status, body.code, body.detail]).toEqual(refused);
        else if (method === 'DELETE') deleted = 1;
      }
      expect((await ask(server.address, 'GET', '/api/v1/capture/query?q=lorem')).status).toBe(200);
      expect(await cli.run(['recent'], { env })).toMatchObject({ code: 0, err: '' });
      expect(await server.stop()).toBe(0);
      expect(await cli.run(['recent'], { env })).toMatchObject({ code: 0, err: '' });
      const more = await cli.run(['capture', '-'], { env, input: 'x'.repeat(100_000) });
      expect([more.code, more.err]).toEqual([1, expect.stringMatching(/full.*Free at least/)]);
      disk.free();
      expect((await cli.run(['capture', '-'], { env, input: 'room again' })).code).toBe(0);
      const { out } = await cli.run(['recent', '--limit', '100', '--json'], { env });
      // Nothing that was answered with 507 is stored, and everything else is.
      expect(JSON.parse(out).memories.length).toBe(saved - deleted + 1);
    } finally {
      disk.remove();
    }
  });

  test('REL-4: deletes on a full disk with the space kept for that, and captures again without a restart', async () => {
    const disk = mountSmallDisk(96);
    if (disk === null) throw new Error('The disk was not mounted.');
    const env = { RECOLLECT_DATA_DIR: join(disk.folder, 'data') };
    const ballast = () => statSync(join(disk.folder, 'data', 'recollect.db-ballast'), { throwIfNoEntry: false })?.size;
    try {
      const first = await cli.serve(env);
      const { body } = await capture(first.address, 'lorem ipsum '.repeat(5_000));
      const path = `/api/v1/memories/${body.captures[0].id}`;
      await expect.poll(ballast).toBe(8 * 1024 * 1024);
      await first.stop();
      const server = await cli.serve(env);
      // The WAL is still empty, so that a deletion needs space as well.
      disk.fill();
      const refused = [507, 'STORE_FULL'];
      const more = async (text: string) => {
        const answer = await capture(server.address, text.repeat(5_000));
        return [answer.status, answer.body.code];
      };
      expect(await more('dolor ')).toEqual(refused);
      expect(ballast()).toBe(8 * 1024 * 1024);
      expect((await ask(server.address, 'DELETE', path)).status).toBeLessThan(300);
      expect(ballast()).toBe(0);
      // The space that was kept is for deletions only.
      expect(await more('amet ')).toEqual(refused);
      const { body: emptied } = await ask(server.address, 'POST', '/api/v1/trash/empty', {});
      expect(emptied).toMatchObject({ deleted: 1 });
      expect((await ask(server.address, 'GET', '/api/v1/memories')).status).toBe(200);
      disk.free();
      expect((await capture(server.address, 'room again')).status).toBe(200);
      await expect.poll(ballast).toBe(8 * 1024 * 1024);
      expect(await server.stop()).toBe(0);
    } finally {
      disk.remove();
    }
  });

  test('REL-4: reads a store that was closed before the disk filled up', async () => {
    const disk = mountSmallDisk(4);
    if (disk === null) throw new Error('The disk was not mounted.');
    const env = { RECOLLECT_DATA_DIR: join(disk.folder, 'data') };
    try {
      await cli.run(['capture', '-'], { env, input: 'kept' });
      // Such a disk has no room for the space that is kept for deletions either.
      const noRoom =
        /no room for the space that .*kept for deletions|no room for the space that a server keeps for deletions/;
      expect((await cli.run(['status'], { env })).out).toMatch(noRoom);
      expect((await cli.run(['doctor'], { env })).out).toMatch(noRoom);
      expect((await cli.run(['doctor'])).out).not.toMatch(noRoom);
      disk.fill();
      expect((await cli.run(['search', 'kept'], { env })).out).toContain('kept');
      expect(await cli.run(['recent'], { env })).toMatchObject({ code: 0, err: '' });
      disk.free();
      expect((await cli.run(['capture', '-'], { env, input: 'and more' })).code).toBe(0);
    } finally {
      disk.remove();
    }
  });
});

describe.skipIf(!hasStrace)('on a disk that fails to sync (requires strace: apt-get install strace)', () => {
  /**
   * A server whose syncs of a file fail, chosen by their number in each thread; the first ones happen during its start.
   */
  const serveFailing = (when: string, file = 'recollect.db-wal') =>
    // -D: the started process is the server itself, and the tracer is a separate process.
    cli.serve({}, [
      ...['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-P', data(file)],
      ...['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:error=EIO:when=${when}`],
    ]);
  /** Captures until one is rejected. Returns its number and the answer. */
  const captureUntilRefused = async (address: string) => {
    for (let number = 1; number < 10; number++) {
      const answer = await capture(address, `note ${number}`, { 'idempotency-key': `key-${number}` });
      if (answer.status !== 200) return { number, answer };
    }
    throw new Error('No sync failed.');
  };

  test('CAP-10: reports an unknown outcome after a failed sync; a retry after a crash creates one memory', async () => {
    await save('before');
    const server = await serveFailing('4+');
    const { number, answer } = await captureUntilRefused(server.address);
    expect([answer.status, answer.body.code]).toEqual([500, 'OUTCOME_UNKNOWN']);
    expect(answer.body.detail).toMatch(/may or may not be stored\..*safe to resend.*same Idempotency-Key/);
    for (let attempt = 0; attempt < 3; attempt++) {
      const next = await capture(server.address, 'another');
      expect([next.status, next.body.code]).toEqual([503, 'STORE_HALTED']);
    }
    expect((await ask(server.address, 'GET', '/healthz')).status).toBe(503);
    expect((await ask(server.address, 'GET', '/api/v1/capture/query?q=note')).status).toBe(200);
    await server.stop('SIGKILL');
    const sound = await cli.serve();
    const again = await capture(sound.address, `note ${number}`, { 'idempotency-key': `key-${number}` });
    expect(again.status).toBe(200);
    await sound.stop();
    const notes = Array.from({ length: number }, (_, at) => `note ${at + 1}`);
    expect((await titles()).toSorted()).toEqual(['before', ...notes].toSorted());
  });

  test('REL-1: loses nothing if the WAL cannot be written back, and writes it back once the disk works', {
    tags: 'long',
  }, async () => {
    await save('before');
    const server = await serveFailing('1+', 'recollect.db');
    const before = await readFile(data('recollect.db'));
    const long = 'lorem ipsum dolor sit amet '.repeat(10_000);
    for (let number = 0; number < 20; number++) {
      expect((await capture(server.address, `note ${number}\n\n${long}${number}`)).status).toBe(200);
    }
    await server.stop('SIGKILL');
    // SQLite tried: its pages are in the file, but no one knows whether they are on the disk.
    expect(await readFile(data('recollect.db'))).not.toEqual(before);
    await writeFile(data('recollect.db'), before);
    const saved = await titles();
    expect(saved.length).toBe(21);
  });

  test('CAP-10: accepts changes again once the store has been reopened and checked', async () => {
    await save('before');
    const server = await serveFailing('4');
    const { number } = await captureUntilRefused(server.address);
    const again = () => capture(server.address, `note ${number}`, { 'idempotency-key': `key-${number}` });
    await expect.poll(async () => (await again()).status, { timeout: 60_000, interval: 500 }).toBe(200);
    expect(await server.stop()).toBe(0);
    expect((await titles()).filter((title: string) => title === `note ${number}`).length).toBe(1);
  });

  test('REL-6, CAP-10: a WAL that fails for a moment is not damage, and changes are accepted again without a restart', async () => {
    const server = await cli.serve();
    const look = async () => {
      const body = JSON.stringify({ pageText: `note ${Math.random()}` });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.address}/api/v1/capture`, { method: 'POST', headers, body });
      await fetch(`${server.address}/api/v1/memories`);
      return { status: answer.status, code: (await answer.json()).code, retryAfter: answer.headers.get('retry-after') };
    };
    expect((await look()).status).toBe(200);
    const calls = 'pread64,pwrite64,fdatasync,fsync';
    const tracer = spawn('strace', [
      ...['-f', '-qq', '-o', '/dev/null', '-P', data('recollect.db-wal'), '-p', `${server.pid}`],
      ...['-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`],
    ]);
    await expect.poll(look, { interval: 50 }).toEqual({ status: 503, code: 'STORE_HALTED', retryAfter: '2' });
    // The server tries to reopen the store during this time.
    await sleep(1_500);
    tracer.kill();
    await once(tracer, 'exit');
    await expect.poll(async () => (await look()).status, { interval: 100 }).toBe(200);
    expect(existsSync(data('recollect.db-damaged'))).toBe(false);
    expect(await server.stop()).toBe(0);
  });
});

describe('other processes and other clocks', () => {
  test('REL-3: reads need no lock, and a write that has waited ten seconds returns 503 with the cause', {
    tags: 'long',
  }, async () => {
    await save('already here');
    const server = await cli.serve();
    const other = new Sqlite(data('recollect.db'));
    other.exec('begin immediate');
    try {
      const writing = Promise.all([capture(server.address, 'one'), capture(server.address, 'two')]);
      // The other process holds the lock until all of these have been answered.
      expect(await titles()).toEqual(['already here']);
      expect((await cli.run(['search', 'already'])).out).toContain('already here');
      expect((await ask(server.address, 'GET', '/api/v1/capture/query?q=already')).status).toBe(200);
      for (const { status, body } of await writing) {
        expect([status, body.code]).toEqual([503, 'STORE_BUSY']);
        expect(body.detail).toContain('Another process is writing to the store');
      }
    } finally {
      other.exec('rollback');
      other.close();
    }
    expect((await capture(server.address, 'three')).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  test('REL-12: a start with the clock 40 days ahead does not empty the trash and logs the reason', {
    tags: 'long',
  }, async () => {
    await save('one', 'two');
    const server = await cli.serve();
    const { memories } = (await ask(server.address, 'GET', '/api/v1/memories')).body;
    for (const { id } of memories) await ask(server.address, 'DELETE', `/api/v1/memories/${id}`);
    await server.stop();
    const preload = pathToFileURL(fileURLToPath(new URL('./fixtures/shift-clock.mjs', import.meta.url))).href;
    const ahead = await cli.serve({ NODE_OPTIONS: `--import=${preload}`, SHIFT_DAYS: '40' });
    await expect.poll(() => ahead.errors()).toMatch(/clock is 40 days ahead.*trash/);
    await ahead.stop();
    const after = await cli.serve();
    await sleep(6_000);
    for (const { id } of memories) {
      expect((await ask(after.address, 'POST', `/api/v1/memories/${id}/restore`, {})).status).toBe(200);
    }
    await after.stop();
    expect(existsSync(data('recollect.db'))).toBe(true);
  });
});
