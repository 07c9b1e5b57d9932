import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, capture } from './ask.js';
import { type Cli, createCli } from './run-cli.js';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const canUnshare = spawnSync('unshare', ['--mount', 'true']).status === 0;
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
const main = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

let cli: Cli;
const data = (...names: string[]) => join(cli.folder, 'data', ...names);
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

describe.skipIf(!canUnshare)('on a network file system (requires unshare, and an account that may mount)', () => {
  /** Runs a command that sees every file system as one of this type. */
  const runOn = async (type: string, args: readonly string[], env: Record<string, string> = {}) => {
    const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).replace(/ - \S+ /g, ` - ${type} `);
    const file = join(cli.folder, 'mountinfo');
    await writeFile(file, mounts);
    const script = 'mount --bind "$0" /proc/$$/mountinfo && exec "$@"';
    const child = cli.startWith(
      'unshare',
      ['--mount', 'bash', '-c', script, file, process.execPath, main, ...args],
      env,
    );
    child.stdin?.end('a note');
    const { stdout, stderr } = child as { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };
    const [out, err] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
    return { code: child.exitCode, out, err };
  };

  test('REL-6: refuses the store and touches nothing, unless it is allowed there', async () => {
    const { code, out, err } = await runOn('nfs4', ['capture', '-']);
    expect([code, out]).toEqual([78, '']);
    expect(err).toMatch(/network file system.*RECOLLECT_ALLOW_NETWORK_STORE=1/);
    expect(existsSync(data())).toBe(false);
    expect(await runOn('nfs4', ['capture', '-'], { RECOLLECT_ALLOW_NETWORK_STORE: '1' })).toMatchObject({ code: 0 });
    expect(await runOn('fuse.sshfs', ['recent'])).toMatchObject({ code: 78, out: '' });
    expect(await runOn('xfs', ['recent'])).toMatchObject({ code: 0, err: '' });
  });

  test('REL-6: doctor repairs a store there only if it is allowed', async () => {
    await cli.save('private');
    const database = new Sqlite(data('recollect.db'));
    database.exec("insert into memory_tags select user_id, 'never', id, 'never' from memories");
    database.close();
    const args = ['doctor', '--fix', '--json'];
    const refused = await runOn('nfs4', args);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('The repair failed: The store is on a')]);
    const { code, out } = await runOn('nfs4', args, { RECOLLECT_ALLOW_NETWORK_STORE: '1' });
    const tags = JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'tags');
    expect([code, tags.fixed]).toEqual([0, true]);
  });
});

describe.skipIf(isWindows || (isRoot && spawnSync('setpriv', ['--version']).status !== 0))(
  'without permission (requires an account other than root, or setpriv)',
  () => {
    /** Runs a command as an account that permissions apply to: root has to give up its privileges for that. */
    const runPlainly = async (args: readonly string[]) => {
      const command = [process.execPath, main, ...args];
      const plain = ['--bounding-set=-all', '--inh-caps=-all'];
      const child = isRoot
        ? cli.startWith('setpriv', [...plain, ...command])
        : cli.startWith(process.execPath, command.slice(1));
      child.stdin?.end('a note');
      const { stdout, stderr } = child as { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };
      const [out, err] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
      return { code: child.exitCode, out, err };
    };

    test('CLI-1: names the setting if the folder may not be read or written', async () => {
      await cli.save('private');
      const before = await readdir(data());
      // The owner of a folder may change its permissions, and Recollect does.
      if (isRoot) await chown(data(), 65_534, 65_534);
      for (const mode of isRoot ? [0o000, 0o005] : [0o000, 0o500]) {
        await chmod(data(), mode);
        for (const args of [['recent'], ['capture', '-']]) {
          const { code, out, err } = await runPlainly(args);
          expect([code, out, err]).toEqual([78, '', expect.stringMatching(/cannot be used.*RECOLLECT_DATA_DIR/)]);
        }
      }
      if (isRoot) await chown(data(), 0, 0);
      await chmod(data(), 0o700);
      expect(await readdir(data())).toEqual(before);
    });

    test('REL-6: names a file of the store that may not be written to, and the command that helps', async () => {
      await cli.save('private');
      await writeFile(data('recollect.db-wal'), '', { mode: 0o400 });
      for (const name of ['recollect.db-wal', 'recollect.db']) {
        await chmod(data(name), 0o400);
        for (const args of [['recent'], ['capture', '-'], ['serve']]) {
          const { code, out, err } = await runPlainly(args);
          expect([code, out]).toEqual([78, '']);
          expect(err).toContain(
            `is read-only, so that nothing could be saved. Nothing was changed. Run chmod u+rw ${data(name)}\n`,
          );
        }
        await chmod(data(name), 0o600);
        expect((await runPlainly(['capture', '-'])).code).toBe(0);
        if (name === 'recollect.db-wal') expect(existsSync(data(name))).toBe(false);
      }
    });

    test.runIf(isRoot)('REL-6: names a file of the store that belongs to another account', async () => {
      await cli.save('private');
      await writeFile(data('recollect.db-shm'), '', { mode: 0o600 });
      for (const name of ['recollect.db-shm', 'recollect.db-lock', 'recollect.db']) {
        await chown(data(name), 65_534, 65_534);
        for (const args of [['recent'], ['capture', '-'], ['serve']]) {
          const { code, out, err } = await runPlainly(args);
          expect([code, out]).toEqual([78, '']);
          expect(err).toMatch(/belongs to another account.*Run sudo chown/);
          expect(err).toContain(data(name));
        }
        await chown(data(name), 0, 0);
      }
      expect((await runPlainly(['capture', '-'])).code).toBe(0);
    });
  },
);

describe.skipIf(!hasPrlimit)('a running server that may open no more files (requires prlimit)', () => {
  test('SYS-1: keeps running, and takes requests again once it may', async () => {
    const server = await cli.serve();
    expect((await capture(server.address, 'before')).status).toBe(200);
    const limit = (files: number) => spawnSync('prlimit', ['--pid', `${server.pid}`, `--nofile=${files}:1024`]);
    limit((await readdir(`/proc/${server.pid}/fd`)).length - 2);
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await capture(server.address, `during ${attempt}`, { connection: 'close' }).catch(() => null);
      expect([undefined, 200, 500, 503]).toContain(answer?.status);
    }
    limit(1_024);
    await expect
      .poll(
        () =>
          capture(server.address, 'after').then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    expect(await server.stop()).toBe(0);
    const titles = (await cli.json(['recent'])).memories.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(expect.arrayContaining(['before', 'after']));
  });
});

describe('two servers on one store', () => {
  test('REL-3: both save, find and change, and both run background work', async () => {
    const servers = [await cli.serve(), await cli.serve()];
    const saved = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const { status, body } = await capture(servers[number % 2]?.address ?? '', `shared note ${number}`);
        expect(status).toBe(200);
        return body.captures[0].id as string;
      }),
    );
    for (const { address } of servers) {
      const { memories } = (await ask(address, 'GET', '/api/v1/memories?limit=100')).body;
      expect(memories.map(({ id }: { id: string }) => id).toSorted()).toEqual(saved.toSorted());
    }
    // Each changes what the other one saved.
    await Promise.all(
      saved.map(async (id, number) => {
        const { address } = servers[(number + 1) % 2] ?? { address: '' };
        expect((await ask(address, 'PATCH', `/api/v1/memories/${id}`, { note: `changed ${number}` })).status).toBe(200);
      }),
    );
    // A retry at the other server makes no second memory.
    const key = { 'idempotency-key': 'same' };
    const answers = await Promise.all(servers.map(({ address }) => capture(address, 'asked twice', key)));
    expect(new Set(answers.map(({ body }) => body.captures[0].id)).size).toBe(1);
    const [first, second] = servers;
    await first?.stop('SIGKILL');
    expect((await capture(second?.address ?? '', 'after the other one was killed')).status).toBe(200);
    expect(await second?.stop()).toBe(0);
    expect((await cli.json(['status'])).memories).toBe(42);
  });
});

describe('a clock that jumps by years', () => {
  const jumpClock = pathToFileURL(fileURLToPath(new URL('./fixtures/jump-clock.mjs', import.meta.url))).href;

  test.skipIf(isWindows)('REL-12: purges nothing, keeps working, and is logged', async () => {
    const file = join(cli.folder, 'shift');
    await writeFile(file, '0');
    const server = await cli.serve({ NODE_OPTIONS: `--import=${jumpClock}`, SHIFT_FILE: file });
    const ids: string[] = [];
    for (const note of ['one', 'two', 'three']) {
      ids.push((await capture(server.address, note, { 'idempotency-key': note })).body.captures[0].id);
    }
    const [gone = ''] = ids;
    await ask(server.address, 'DELETE', `/api/v1/memories/${gone}`);
    const jumps = { 3650: /jumped forward by 3650 days/, '-3650': /jumped back by 7300 days/ };
    for (const [days, logged] of Object.entries(jumps)) {
      // The server may read the file at any time.
      await writeFile(`${file}.next`, days);
      await rename(`${file}.next`, file);
      expect((await capture(server.address, `after ${days} days`)).status).toBe(200);
      const { body } = await capture(server.address, 'two', { 'idempotency-key': 'two' });
      expect(body.captures[0].id).toBe(ids[1]);
      expect((await ask(server.address, 'GET', '/api/v1/trash')).body.memories).toMatchObject([{ id: gone }]);
      await expect.poll(() => server.errors()).toMatch(logged);
    }
    expect((await ask(server.address, 'POST', `/api/v1/memories/${gone}/restore`, {})).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
