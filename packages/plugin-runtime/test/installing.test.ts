import { appendFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, RecollectError } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture, installed, openTestHost, type TestHost } from './open-test-host.js';

let open: TestHost;
let faulty: Installation;

beforeAll(async () => {
  open = await openTestHost();
  faulty = installed(await open.host.add(fixture('faulty'), { sha256: null, allow: [] }));
});
afterAll(() => open.close());

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'no error', message: '', errors: [] as unknown }),
    (error) => {
      if (!(error instanceof RecollectError)) throw error;
      return { code: error.code as string, message: error.message, errors: error.errors as unknown };
    },
  );

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
      [fixture('faulty/../'), /It has no entry file \(index\.js, index\.mjs, index\.ts/],
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
