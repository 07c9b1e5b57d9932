import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changesSince } from '../src/update/changes.js';
import { findInstallation, isNewer, PROGRAM, releaseOf } from '../src/update/installation.js';
import { npm } from '../src/update/npm.js';
import { replace, stage } from '../src/update/stage.js';
import { checkWeekly, readNewerVersion } from '../src/update/weekly-check.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes a package whose program only prints its version. */
async function writePackage(root: string, version: string, { program = `console.log('${version}')` } = {}) {
  const files = {
    'package.json': JSON.stringify({
      name: 'recollect-sample',
      version: releaseOf(version),
      bin: PROGRAM,
      files: ['apps', 'CHANGELOG.md'],
    }),
    'CHANGELOG.md': `# Changelog\n\n## ${releaseOf(version)}\n\n- New\n\n## 0.1.0\n\n- Old\n`,
    [PROGRAM]: program,
    'apps/cli/dist/build.json': JSON.stringify({ version }),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function install(version: string) {
  const root = join(folder, 'lib', 'node_modules', 'recollect-sample');
  await writePackage(root, version);
  return findInstallation(join(root, PROGRAM));
}

async function pack(version: string, options?: { program: string }): Promise<string> {
  const source = join(folder, 'source');
  await writePackage(source, version, options);
  return join(folder, await npm('pack', source, '--pack-destination', folder));
}

describe('an update', () => {
  test('CLI-11: puts the new version in the place of the present one, and can go back', async () => {
    const present = await install('0.1.0+1.1');
    const staged = await stage(present, await pack('0.2.0+2.2'));
    expect(staged).toMatchObject({ version: '0.2.0+2.2', changelog: expect.stringContaining('- New') });
    const versionNow = async () =>
      JSON.parse(await readFile(join(present.root, 'apps/cli/dist/build.json'), 'utf8')).version;
    const first = await replace(present, staged);
    expect(await versionNow()).toBe('0.2.0+2.2');
    await first.goBack();
    expect(await versionNow()).toBe('0.1.0+1.1');
    const second = await replace(present, await stage(present, await pack('0.2.0+2.2')));
    await second.forget();
    expect(await versionNow()).toBe('0.2.0+2.2');
    expect(await readdir(present.modules)).toEqual(['recollect-sample']);
  });

  test('CLI-11: does not change the present version if the new one is damaged, missing, of another program or does not start', async () => {
    const present = await install('0.1.0+1.1');
    const damaged = join(folder, 'damaged.tgz');
    await writeFile(damaged, (await readFile(await pack('0.2.0+2.2'))).subarray(0, 200));
    await expect(stage(present, damaged)).rejects.toThrow(/damaged|not a package/);
    await expect(stage(present, join(folder, 'missing.tgz'))).rejects.toThrow('Nothing has changed.');
    const broken = await pack('0.2.0+3.3', { program: "console.error('No.'); process.exit(1)" });
    await expect(stage(present, broken)).rejects.toThrow('The new version does not start: No. Nothing has changed.');
    expect(await readdir(present.modules)).toEqual(['recollect-sample']);
  });

  test('CLI-11: says what to do in a clone, and for npx', async () => {
    await expect(findInstallation(`/home/ann/recollect/${PROGRAM}`)).rejects.toThrow('git pull');
    await expect(findInstallation(`/home/ann/.npm/_npx/1/node_modules/recollect/${PROGRAM}`)).rejects.toThrow('npx');
    await expect(findInstallation(`/missing/node_modules/recollect/${PROGRAM}`)).rejects.toThrow('may not write');
  });

  test('CLI-11: names the changes since the present release', () => {
    const changelog =
      '# Changelog\n\nIntro\n\n## 0.3.0 (2026-12-02)\n\n- B\n\n## 0.2.0\n\n- A\n\n## 0.1.0\n\n- First\n';
    expect(changesSince(changelog, '0.2.0')).toBe('## 0.3.0 (2026-12-02)\n\n- B');
    expect(changesSince(changelog, '0.3.0')).toBe('');
    expect(changesSince('# Changelog\n\n## [1.0.0]\n\n- C\n', '0.9.0')).toBe('## [1.0.0]\n\n- C');
  });
});

describe('the weekly check', () => {
  const DAY = 24 * 60 * 60_000;

  test('CLI-11: asks once a week, also over restarts, and names a newer version', async () => {
    let time = Date.parse('2026-12-01T00:00:00Z');
    let newest: string | Error = '0.2.0';
    let questions = 0;
    const reports: string[] = [];
    const start = () =>
      checkWeekly(folder, {
        release: '0.1.0',
        findNewest: async () => {
          questions += 1;
          if (newest instanceof Error) throw newest;
          return newest;
        },
        report: (sentence) => reports.push(sentence),
        now: () => time,
      });
    expect(await readNewerVersion(folder, '0.1.0')).toBeNull();
    let check = start();
    await expect.poll(() => reports).toEqual(['Recollect 0.2.0 can be installed: recollect update. This is 0.1.0.']);
    expect(await readNewerVersion(folder, '0.1.0')).toBe('0.2.0');
    expect(await readNewerVersion(folder, '0.2.0')).toBeNull();
    check.end();
    time += 6 * DAY;
    check = start();
    await check.look();
    expect(questions).toBe(1);
    time += DAY;
    newest = new Error('The registry cannot be reached.');
    await check.look();
    newest = '0.1.0';
    // The failure was not a check.
    await check.look();
    expect([questions, reports.length]).toEqual([3, 1]);
    expect(await readNewerVersion(folder, '0.1.0')).toBeNull();
    // The clock was set back.
    time -= 30 * DAY;
    await check.look();
    expect(questions).toBe(4);
    await writeFile(join(folder, 'update-check.json'), '{');
    await check.look();
    expect(questions).toBe(5);
    check.end();
  });

  test('CLI-11: compares releases by their numbers', () => {
    const order = ['0.9.0', '0.10.0-rc.1', '0.10.0-rc.2', '0.10.0-rc.10', '0.10.0', '0.10.1', '1.0.0'];
    for (const [at, release] of order.entries())
      for (const [otherAt, other] of order.entries())
        expect([release, other, isNewer(release, other)]).toEqual([release, other, at > otherAt]);
  });
});
