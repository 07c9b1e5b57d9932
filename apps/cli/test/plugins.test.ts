import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confirmTrust } from '../src/commands/plugins/install.js';
import { createPluginCli, fixture, makeDue, type PluginCli } from './plugin-cli.js';

let cli: PluginCli;
beforeEach(async () => {
  cli = await createPluginCli();
});
afterEach(() => cli.remove());

test('SEC-14: asks before it installs a plugin that only Node.js keeps off the network', async () => {
  await expect(confirmTrust(false)).rejects.toThrow(
    /^Nothing was installed\. On this system only Node\.js .* add --yes\.$/,
  );
  await expect(confirmTrust(true)).rejects.toThrow(/add --yes/);
});

describe('plugins on the command line', () => {
  test('CLI-1, PLG-3: installs, configures, schedules, runs and uninstalls a plugin that ships', async () => {
    const list = await cli.run(['plugins', 'list']);
    expect(list.out).toMatch(/^auto-tag 1\.0\.0 {2}not installed/);
    expect(list.out).toMatch(/No plugins yet\. Install one with: recollect plugins install daily-digest/);
    const installed = await cli.run(['plugins', 'install', 'daily-digest']);
    expect(installed.out).toMatch(/^Installed daily-digest 1\.0\.0: Daily digest\n {2}SHA-256 {2}[0-9a-f]{64}\n/);
    expect((await cli.run(['plugins', 'configure', 'daily-digest', 'topics=3'])).out).toMatch(
      /^daily-digest is configured:\ntopics = 3 /,
    );
    expect(await cli.json(['plugins', 'configure', 'daily-digest', 'topics='])).toEqual({
      topics: 8,
      tags: ['digest'],
    });
    expect((await cli.run(['plugins', 'schedule', 'daily-digest', '--every', '1d'])).out).toMatch(
      /^daily-digest digest runs once a day, first in 24 hours\./,
    );
    await cli.run(['capture', '-'], { input: 'Something to read later' });
    expect((await cli.run(['plugins', 'run', 'daily-digest'])).out).toMatch(
      /^daily-digest digest: success, 1 memory; the digest is /,
    );
    expect((await cli.run(['recent'])).out).toMatch(/Digest of 20/);
    expect((await cli.run(['plugins', 'runs', 'daily-digest'])).out).toMatch(
      /^(?:just now|\d minutes? ago) {2}digest \(request\): success/,
    );
    expect((await cli.run(['plugins', 'list'])).out).toMatch(
      /digest: once a day, next in 24 hours; last (?:just now|\d minutes? ago): success/,
    );
    expect((await cli.run(['plugins', 'schedule', 'daily-digest', '--off'])).out).toMatch(/no longer scheduled/);
    expect((await cli.run(['plugins', 'uninstall', 'daily-digest'])).out).toMatch(/is uninstalled/);
  });

  test('CLI-1, PLG-4: reports each error with a message and its exit code', async () => {
    await cli.json(['plugins', 'install', '--yes', fixture('diary')]);
    const cases: [string[], number, RegExp][] = [
      [['plugins', 'run', 'unknown', 'x'], 1, /^There is no plugin of this name\. recollect plugins list/],
      [['plugins', 'run', 'diary'], 2, /^The plugin has several jobs\. Choose one of: count, fail/],
      [
        ['plugins', 'run', 'auto-tag'],
        1,
        /^This plugin ships with Recollect but is not installed\..* Run: recollect plugins install auto-tag$/m,
      ],
      [['plugins', 'run', 'diary', 'fail'], 1, /^$/],
      [['plugins', 'install', '--yes', fixture('diary')], 1, /^The plugin diary is already installed\..*--replace/],
      [
        ['plugins', 'install', '--yes', fixture('broken')],
        1,
        /^The plugin was not installed\. Its code does not load\./,
      ],
      [
        ['plugins', 'install', '--yes', fixture('many'), '--sha256', '0'.repeat(64)],
        1,
        /^The plugin was not installed: the SHA-256 does not match/,
      ],
      [['plugins', 'install', '--yes', fixture('many'), '--sha256', 'x'], 2, /^--sha256 must be 64 hexadecimal digits/],
      [['plugins', 'install', 'link-rot', '--allow', 'all'], 2, /^--allow must be one or more of: network\./],
      [['plugins', 'configure', 'diary', 'size=0'], 1, /^The configuration was not changed: size must be at least 1\./],
      [['plugins', 'configure', 'diary', 'size'], 2, /^Pass settings as name=value/],
      [['plugins', 'schedule', 'diary', 'count', '--every', 'soon'], 2, /^--every must be /],
      [['jobs:run-due', '101'], 2, /^The limit must be a whole number from 1 to 100\./],
    ];
    for (const [args, code, message] of cases) {
      const outcome = await cli.run(args);
      expect([args, outcome.code]).toEqual([args, code]);
      expect(outcome.err).toMatch(message);
    }
  });

  test('PLG-3: link-rot stays disabled until its owner grants it the network', async () => {
    expect((await cli.json(['plugins', 'install', 'link-rot'])).state).toBe('disabled');
    const refused = await cli.run(['plugins', 'enable', 'link-rot']);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/ Run: recollect plugins enable link-rot --allow network$/m),
    ]);
    expect((await cli.run(['plugins', 'install', 'link-rot', '--allow', 'network'])).err).toMatch(
      /already installed.*recollect plugins enable link-rot --allow network$/m,
    );
    expect((await cli.json(['plugins', 'enable', 'link-rot', '--allow', 'network'])).state).toBe('active');
    await cli.run(['capture', '-', '--url', 'http://127.0.0.1:1/private'], { input: 'A page of this machine' });
    const result = await cli.json(['plugins', 'run', 'link-rot']);
    expect(result).toMatchObject({ status: 'success', summary: '1 links checked, 0 of them dead.' });
    expect(result.details[1]).toBe('1 not checked: in a private network.');
  });

  test('PLG-5: jobs:run-due notifies plugins of captures and runs due jobs', async () => {
    await cli.json(['plugins', 'install', '--yes', fixture('diary')]);
    await cli.run(['capture', '-'], { input: 'Told by cron' });
    expect((await cli.run(['plugins', 'list'])).out).toMatch(/1 capture waiting for delivery/);
    await cli.withStorage((storage) => makeDue(storage, 'diary', 'count'));
    const { out } = await cli.run(['jobs:run-due', '10']);
    expect(out).toMatch(/^diary count: warning\. run 1 of size 3 Next at 20/);
    expect(out).toMatch(/1 event was delivered to plugins\./);
    expect((await cli.json(['plugins', 'run', 'diary', 'told'])).details[0]).toMatch(/ Told by cron \d+$/);
    expect((await cli.run(['jobs:run-due'])).out).toBe('No job is due.\n');
  });

  test('PLG-3: creates a starter plugin, installs it, and replaces it after a change', async () => {
    const mine = join(cli.folder, 'mine');
    expect((await cli.run(['plugins', 'new', 'mine'])).out).toMatch(/recollect plugins install mine/);
    expect(await readdir(mine)).toEqual(['index.js', 'index.test.js', 'package.json']);
    expect((await cli.run(['plugins', 'new', 'mine'])).err).toMatch(/is not empty/);
    await cli.json(['plugins', 'install', '--yes', 'mine']);
    await cli.json(['plugins', 'configure', 'mine', 'longFrom=1']);
    const source = await readFile(join(mine, 'index.js'), 'utf8');
    await writeFile(join(mine, 'index.js'), source.replace("version: '0.1.0'", "version: '0.2.0'"));
    expect((await cli.json(['plugins', 'install', '--yes', 'mine', '--replace'])).version).toBe('0.2.0');
    await cli.run(['capture', '-'], { input: 'A short text' });
    expect((await cli.json(['jobs:run-due'])).delivered).toBe(1);
    expect((await cli.json(['plugins', 'run', 'mine'])).summary).toBe('1 long reads.');
    const [copy = ''] = await readdir(join(cli.folder, 'data', 'plugins'));
    await appendFile(join(cli.folder, 'data', 'plugins', copy, 'index.js'), '\n');
    expect((await cli.run(['plugins', 'run', 'mine'])).out).toMatch(
      /failed, It did not start\. Its files have changed/,
    );
  });
});
