import { spawnSync } from 'node:child_process';
import { appendFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, RecollectError } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture, installed, openTestHost, type TestHost } from './open-test-host.js';

let open: TestHost;
let strictHost: TestHost;
let faulty: Installation;

beforeAll(async () => {
  open = await openTestHost();
  strictHost = await openTestHost({ limits: { hookMs: 1_000, jobMs: 3_000, memoryMb: 128 } });
  faulty = installed(await open.host.add(fixture('faulty'), { sha256: null, allow: [] }));
  await strictHost.host.add(fixture('faulty'), { sha256: null, allow: [] });
});
afterAll(() => Promise.all([open.close(), strictHost.close()]));

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'no error', message: '', errors: [] as unknown }),
    (error) => {
      if (!(error instanceof RecollectError)) throw error;
      return { code: error.code as string, message: error.message, errors: error.errors as unknown };
    },
  );

describe('a plugin that goes wrong', () => {
  const ends: Record<string, [string, RegExp]> = {
    throws: ['failed', /^It threw: boom$/],
    spins: ['timeout', /^It did not finish within 3 seconds and was killed\.$/],
    'eats-heap': ['failed', /^It used more than 128 MB of memory and was killed\.$/],
    'eats-buffers': ['failed', /^It used more than 128 MB of memory and was killed\.$/],
    prints: ['failed', /^It printed more than 1 MiB and was killed\.$/],
    logs: ['failed', /^It printed more than 1 MiB and was killed\.$/],
    'prints-in-a-loop': ['failed', /^It printed more than 1 MiB and was killed\.$/],
    'logs-in-a-loop': ['failed', /^It printed more than 1 MiB and was killed\.$/],
    'writes-to-the-line': ['failed', /^It sent an invalid message to its host and was killed\.$/],
    'forges-messages': ['failed', /^It sent an invalid message to its host and was killed\.$/],
    'asks-what-cannot-be-written': ['done', /^40 refused$/],
    exits: ['failed', /^Its process exited unexpectedly \(exit code 3\)\.$/],
    forks: ['failed', /^It threw: node:child_process is not available to plugins\.$/],
    'forks-by-require': ['failed', /^It threw: node:module is not available to plugins\.$/],
    'never-answers': ['timeout', /^It did not finish within 3 seconds and was killed\.$/],
    'throws-later': ['failed', /^Uncaught error: later$/],
    rejects: ['failed', /^Uncaught error: nobody waits$/],
    'kills-its-parent': ['failed', /^It threw: This process function is not available to plugins\.$/],
    'asks-without-end': ['failed', /^It threw: Too many requests at once\. Await the answers\.$/],
    'reads-a-file': ['failed', /^It threw: Access to this API has been restricted/],
    'writes-a-file': ['failed', /^It threw: Access to this API has been restricted/],
    connects: ['failed', /^It threw: node:net is not available to plugins without the permission network\.$/],
    fetches: ['failed', /^It threw: fetch is not defined$/],
    'finds-a-builtin': ['failed', /^It threw: This process function is not available/],
  };

  for (const [name, [kind, summary]] of Object.entries(ends)) {
    test(`REL-11: reports a plugin that ${name.replaceAll('-', ' ')} and serves the next call`, async () => {
      const host = kind === 'timeout' ? strictHost : open;
      const outcome = await host.run(faulty, name);
      expect(outcome.kind).toBe(kind);
      expect('summary' in outcome && outcome.summary).toMatch(summary);
      expect(await host.run(faulty, 'fine')).toMatchObject({ kind: 'done', summary: 'fine' });
    });
  }

  test('REL-11, PLG-6: applies a separate time limit to hooks', async () => {
    const startedAt = performance.now();
    const memory = { id: 'm', title: 't', sourceType: 'note', sourceApp: 'web', url: null, captureMode: 'page' };
    const event = {
      id: 'e',
      kind: 'capture' as const,
      time: '2026-01-31T12:00:00.000Z',
      memory: { ...memory, tags: [], metadata: {}, text: 'spins' },
    };
    const options = { userId: 'ann', signal: new AbortController().signal, answer: async () => null };
    const outcome = await strictHost.host.call(faulty, { kind: 'capture', event }, options);
    expect(outcome).toMatchObject({ kind: 'timeout', summary: 'It did not finish within 1 second and was killed.' });
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  test('REL-11: a plugin in an endless loop does not block the event loop of its host', async () => {
    const running = strictHost.run(faulty, 'spins');
    const delays: number[] = [];
    for (let at = 0; at < 40; at++) {
      const before = performance.now();
      await sleep(10);
      delays.push(performance.now() - before - 10);
    }
    delays.sort((a, b) => a - b);
    expect(delays[20]).toBeLessThan(20);
    expect((await running).kind).toBe('timeout');
  });

  test('SEC-14: gives a plugin an empty environment and its own folder only', async () => {
    expect(await open.run(faulty, 'environment')).toMatchObject({ kind: 'done', summary: '{}' });
    expect(await open.run(faulty, 'reads-its-own')).toMatchObject({ kind: 'done' });
  });
});

describe('a process', () => {
  test('PLG-1: runs the calls of one plugin one by one and rejects too many', async () => {
    const busy = strictHost.run(faulty, 'never-answers');
    const waiting = Array.from({ length: 120 }, () => strictHost.run(faulty, 'fine'));
    const outcomes = await Promise.all(waiting);
    const refused = outcomes.filter(
      (outcome) => 'summary' in outcome && /Too many calls are waiting/.test(outcome.summary),
    );
    expect(refused.length).toBeGreaterThan(10);
    expect(outcomes.filter(({ kind }) => kind === 'done').length).toBe(120 - refused.length);
    expect((await busy).kind).toBe('timeout');
  });

  test('PLG-1: signals a cancelled call to stop, and kills it when it does not', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 500);
    expect(await open.run(faulty, 'stops-when-told', stopping.signal)).toMatchObject({ summary: 'stopped in time' });
    const again = new AbortController();
    setTimeout(() => again.abort(), 200);
    expect(await open.run(faulty, 'never-answers', again.signal)).toEqual({ kind: 'stopped' });
    expect(await open.run(faulty, 'fine', AbortSignal.abort())).toEqual({ kind: 'stopped' });
  });

  test('SEC-14: ends when it is idle', async () => {
    const idle = await openTestHost({ idleMs: 200 });
    try {
      const plugin = installed(await idle.host.add(fixture('faulty'), { sha256: null, allow: [] }));
      await idle.run(plugin, 'fine');
      const count = () => processesIn(idle.folder);
      expect(count()).toBe(1);
      await expect.poll(count).toBe(0);
      expect((await idle.run(plugin, 'fine')).kind).toBe('done');
    } finally {
      await idle.close();
    }
  });

  test('SEC-14: ends when its host closes', async () => {
    const other = await openTestHost();
    const plugin = installed(await other.host.add(fixture('faulty'), { sha256: null, allow: [] }));
    const running = other.run(plugin, 'spins');
    await expect.poll(() => processesIn(other.folder)).toBe(1);
    await other.host.close();
    expect((await running).kind).toBe('stopped');
    expect(processesIn(other.folder)).toBe(0);
    await other.close();
  });
});

/** How many processes run with a folder in their command line. */
function processesIn(folder: string): number {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(folder) && line.includes('plugin-runtime/dist/bundle'))
    .length;
}

describe('installing', () => {
  test('SEC-14: copies the files, readable only by their owner, and pins them', async () => {
    const source = await open.copyOf('diary');
    await writeFile(join(source, '.hidden'), 'not taken along');
    const added = await open.host.add(source, { sha256: null, allow: [] });
    expect(added).toMatchObject({ source: 'folder', manifest: { slug: 'diary', observesCaptures: true } });
    expect(added.manifest.jobs[0]).toEqual({ id: 'count', title: 'Count the runs', defaultIntervalMinutes: 60 });
    expect(added.manifest.jobs[1]?.defaultIntervalMinutes).toBe(1_440);
    const plugins = join(open.folder, 'plugins');
    const [kept = ''] = (await readdir(plugins)).filter((name) => name.startsWith('diary-'));
    expect(await readdir(join(plugins, kept))).toEqual(['index.js']);
    const modes = await Promise.all(
      [plugins, join(plugins, kept), join(plugins, kept, 'index.js')].map((path) => stat(path)),
    );
    if (process.platform !== 'win32') expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o600]);

    const plugin = installed(added);
    await rm(source, { recursive: true });
    expect((await open.run(plugin, 'count')).kind).toBe('done');
    await open.host.remove(plugin);
    expect((await readdir(plugins)).filter((name) => name.startsWith('diary-'))).toEqual([]);
  });

  test('SEC-14: installs nothing when the hash does not match', async () => {
    const expected = faulty.sha256;
    expect((await open.host.add(fixture('faulty'), { sha256: expected.toUpperCase(), allow: [] })).sha256).toBe(
      expected,
    );
    const problem = await problemOf(open.host.add(fixture('diary'), { sha256: expected, allow: [] }));
    expect(problem).toMatchObject({ code: 'PLUGIN_INVALID', errors: [{ pointer: '/sha256' }] });
    expect(problem.message).toMatch(
      /^The plugin was not installed: the SHA-256 does not match; these files have [0-9a-f]{64}\.$/,
    );
  });

  test('SEC-14: does not start files that changed after installation', async () => {
    const other = await openTestHost();
    try {
      const plugin = installed(await other.host.add(fixture('diary'), { sha256: null, allow: [] }));
      const [kept = ''] = await readdir(join(other.folder, 'plugins'));
      await appendFile(join(other.folder, 'plugins', kept, 'index.js'), '\n');
      const outcome = await other.run(plugin, 'count');
      expect(outcome).toMatchObject({ kind: 'not-started' });
      expect('summary' in outcome && outcome.summary).toMatch(/Its files have changed since it was installed/);
      await rm(join(other.folder, 'plugins', kept), { recursive: true });
      expect(await other.run(plugin, 'count')).toMatchObject({
        kind: 'not-started',
        summary: expect.stringContaining('no such folder'),
      });
    } finally {
      await other.close();
    }
  });

  test('PLG-4: reports why a plugin does not load and leaves nothing behind', async () => {
    const before = await readdir(join(open.folder, 'plugins'));
    const linked = await open.copyOf('faulty');
    await symlink('/etc/passwd', join(linked, 'passwd'));
    const misnamed = await open.copyOf('diary');
    await writeFile(join(misnamed, 'package.json'), '{"main": "gone.js"}');
    const cases: [string, RegExp][] = [
      [fixture('broken'), /Its code does not load\. SyntaxError: Unexpected token ';', in index\.js, line 1\./],
      [
        fixture('not-a-plugin'),
        /Its default export is not a valid definition for definePlugin: scopes.0 must be one of: search, read, list, tag, save/,
      ],
      [join(open.folder, 'nowhere'), /There is no such folder\./],
      [fixture('faulty/../'), /It has none of index\.js, index\.mjs, index\.ts/],
      [linked, /passwd is not a regular file/],
      [misnamed, /The file that main in its package\.json names does not exist\./],
    ];
    for (const [folder, message] of cases) {
      const problem = await problemOf(open.host.add(folder, { sha256: null, allow: [] }));
      expect(problem).toMatchObject({ code: 'PLUGIN_INVALID', message: expect.stringMatching(message) });
    }
    expect(await readdir(join(open.folder, 'plugins'))).toEqual(before);
  });

  test('SEC-14: loads a plugin that needs the network only when that is allowed', async () => {
    const folder = fixture('caller');
    const refused = await problemOf(open.host.add(folder, { sha256: null, allow: [] }));
    expect(refused.message).toMatch(/node:http is not available to plugins without the permission network\./);
    const plugin = installed(await open.host.add(folder, { sha256: null, allow: ['network'] }), {
      allowed: ['network'],
    });
    expect(await open.run(plugin, 'call')).toMatchObject({ kind: 'done', summary: 'function function' });
  });

  test('PLG-1: does not take a late answer for an answer to the next call', async () => {
    const plugin = installed(await open.host.add(fixture('diary'), { sha256: null, allow: [] }));
    const args: string[] = [];
    const call = (jobId: string, wait: number) =>
      open.host.call(
        plugin,
        { kind: 'job', jobId },
        {
          userId: 'ann',
          signal: new AbortController().signal,
          answer: async ({ args: { key } }) => {
            args.push(String(key));
            await sleep(wait);
            return key === 'stray' ? 1_000 : null;
          },
        },
      );
    expect(await call('leaves-a-question-open', 300)).toMatchObject({ kind: 'done' });
    expect(await call('count', 500)).toMatchObject({ summary: 'run 1 of size 3' });
    expect(args).toEqual(['stray', 'count', 'count']);
  });

  test('PLG-3: runs a plugin written in TypeScript', async () => {
    const plugin = installed(await open.host.add(fixture('typed'), { sha256: null, allow: [] }));
    expect(await open.run(plugin, 'answer')).toMatchObject({ kind: 'done', summary: 'object' });
  });

  test('PLG-3: validates a configuration against the schema', async () => {
    const plugin = installed(await open.host.add(fixture('diary'), { sha256: null, allow: [] }));
    expect(await open.host.validateConfiguration(plugin, {})).toEqual({
      kind: 'valid',
      configuration: { fails: false, size: 3 },
    });
    expect(await open.host.validateConfiguration(plugin, { size: 0, fails: 'no', other: 1 })).toEqual({
      kind: 'invalid',
      errors: [
        { pointer: '', message: 'has an unknown field; known fields: fails, size' },
        { pointer: '/fails', message: 'must be of type boolean' },
        { pointer: '/size', message: 'must be at least 1' },
      ],
    });
    const outdated = installed(plugin, { configuration: { size: -1 } });
    expect(await open.run(outdated, 'count')).toMatchObject({
      kind: 'failed',
      summary:
        'Its configuration is invalid: size must be at least 1. Run recollect plugins configure diary to fix it.',
    });
  });
});
