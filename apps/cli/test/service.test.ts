import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings, writeSettings } from '../src/service-manager/config.js';
import { launchdAgent, programOfAgent } from '../src/service-manager/launchd.js';
import { planService } from '../src/service-manager/plan.js';
import { programOfTask, scheduledTask } from '../src/service-manager/scheduled-task.js';
import { programOf, systemdUnit } from '../src/service-manager/systemd.js';
import { createCli } from './run-cli.js';

const plan = {
  command: ['/opt/node 24/bin/node', '/opt/100% recollect/main.js', 'serve', '--settings', '/home/a&n/service.env'],
  settingsFile: '/home/a&n/service.env',
  logFile: null,
  writable: ['/home/a&n/.local/share/recollect', '/media/my "backups"'],
  home: '/home/a&n',
};

describe('the description of the service', () => {
  test('CLI-10: for systemd is a hardened unit that starts again after a crash', async () => {
    await expect(systemdUnit(plan)).toMatchFileSnapshot('./fixtures/recollect.service');
  });

  test('CLI-10: for launchd is an agent', async () => {
    await expect(launchdAgent(plan)).toMatchFileSnapshot('./fixtures/recollect.plist');
  });

  test('CLI-10: for Windows is a scheduled task', async () => {
    await expect(scheduledTask(plan, 'DESKTOP\\ann')).toMatchFileSnapshot('./fixtures/recollect-task.xml');
  });

  test('CLI-10: names the program that it starts with any characters in its path', () => {
    const word = fc
      .string({ minLength: 1, unit: fc.constantFrom(...'ab /\\$%&<>\'"é=') })
      .filter((text) => text.trim() === text);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const command = ['/bin/node', ...words];
        expect(programOf(systemdUnit({ ...plan, command }))).toEqual(command);
        expect(programOfAgent(launchdAgent({ ...plan, command }))).toEqual(command);
      }),
    );
    const windows = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\Users\\Ann & Bo\\recollect\\main.js', 'serve'];
    expect(programOfTask(scheduledTask({ ...plan, command: windows }, 'ann'))).toEqual(windows);
  });

  test('CLI-10: names each folder that the service writes to once', () => {
    const backups = { isAutomatic: true, folder: '/data/recollect/backups', passphraseFile: null };
    const { writable } = planService({ dataFolder: '/data/recollect', backups, watched: ['/notes'] }, 'linux');
    expect(writable).toEqual(['/data/recollect', '/notes']);
  });
});

describe('the settings of the service', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('CLI-10: come from the terminal, and stay when it is installed again', async () => {
    const file = join(folder, 'config', 'service.env');
    const settings = { RECOLLECT_PORT: '5000', RECOLLECT_WATCH: '/my "notes", /a\'b', RECOLLECT_HOST: ' ' };
    expect(await writeSettings(file, settings)).toBe(true);
    expect(await writeSettings(file, { RECOLLECT_PORT: '6000' })).toBe(false);
    const environment = { RECOLLECT_PORT: '7000' };
    await loadSettings(file, environment);
    expect(environment).toEqual({ RECOLLECT_PORT: '7000', RECOLLECT_WATCH: '/my "notes", /a\'b' });
  });

  test('CLI-10: are rejected with a sentence if the file is missing, or sets anything else', async () => {
    const file = join(folder, 'service.env');
    await expect(loadSettings(file, {})).rejects.toThrow(`--settings ${file} cannot be read (ENOENT).`);
    await writeFile(file, 'PATH=/tmp\n');
    await expect(loadSettings(file, {})).rejects.toThrow('It may only set RECOLLECT_ variables.');
    await writeFile(file, 'RECOLLECT_PROT=1\n');
    await expect(loadSettings(file, {})).rejects.toThrow('RECOLLECT_PROT');
  });
});

const verify = async (file: string) =>
  promisify(execFile)('systemd-analyze', ['--user', 'verify', file], {
    env: { ...process.env, XDG_RUNTIME_DIR: tmpdir() },
  });
const hasSystemd =
  process.platform === 'linux' &&
  (await promisify(execFile)('systemd-analyze', ['--version']).then(
    () => true,
    () => false,
  ));

describe.skipIf(process.platform !== 'linux')('recollect service', () => {
  let cli: Awaited<ReturnType<typeof createCli>>;
  beforeAll(async () => {
    cli = await createCli();
    const bin = join(cli.folder, 'bin');
    await mkdir(bin);
    const script = fileURLToPath(new URL('./fixtures/systemctl.mjs', import.meta.url));
    await writeFile(join(bin, 'systemctl'), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, {
      mode: 0o755,
    });
  });
  afterAll(async () => {
    await service('uninstall');
    await cli.remove();
  });

  const service = (...words: string[]) =>
    cli.runProcess(['service', ...words], {
      env: { PATH: `${join(cli.folder, 'bin')}:${process.env.PATH}`, RECOLLECT_EMBEDDINGS: 'off' },
    });

  test('CLI-10: installs, shows, restarts and removes a service that serves with the settings of the terminal', async () => {
    expect(await service('status')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No service is installed.'),
    });
    const installed = await service('install');
    expect(installed).toMatchObject({ code: 0, err: '' });
    const [address = ''] = /http:\S+/.exec(installed.out) ?? [];
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const status = JSON.parse((await service('status', '--json')).out);
    expect(status).toMatchObject({ state: 'active', address });
    expect(await readFile(status.settings, 'utf8')).toContain('RECOLLECT_EMBEDDINGS=off');
    expect(await service('restart')).toMatchObject({
      code: 0,
      out: expect.stringContaining('has started again: http://'),
    });
    const again = JSON.parse((await service('status', '--json')).out);
    expect(again.pid).not.toBe(status.pid);

    const unit = await readFile(status.service, 'utf8');
    if (hasSystemd) await verify(status.service);
    await writeFile(status.service, unit.replace(cli.main, process.execPath));
    const rejected = await service('install');
    expect(rejected).toMatchObject({ code: 1, err: expect.stringContaining('was installed by another copy') });

    expect(await service('uninstall')).toMatchObject({ code: 0, out: expect.stringContaining('Your memories') });
    expect(await service('status')).toMatchObject({ code: 1 });
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  });

  test('CLI-10: says what to do where no systemd runs, and where another server uses the store', async () => {
    const bare = await cli.runProcess(['service', 'install'], { env: { PATH: cli.folder } });
    expect(bare).toMatchObject({ code: 1, err: expect.stringContaining('No systemd runs for this user.') });
    const server = cli.start(['serve'], { RECOLLECT_EMBEDDINGS: 'off' });
    await new Promise((resolve) => server.stdout?.once('data', resolve));
    const second = await service('install');
    expect(second).toMatchObject({ code: 1, err: expect.stringMatching(/A server already runs at .*Stop it/) });
    server.kill();
    await new Promise((resolve) => server.once('exit', resolve));
  });

  test('CLI-10: writes the messages of a server to the file of --log', async () => {
    const log = join(cli.folder, 'server.log');
    const server = cli.start(['serve', '--log', log], { RECOLLECT_EMBEDDINGS: 'off' });
    await expect
      .poll(() => readFile(log, 'utf8').catch(() => ''), { timeout: 60_000 })
      .toMatch(/^\d{4}-\S+Z .*Recollect .* is running/m);
    server.kill();
    await new Promise((resolve) => server.once('exit', resolve));
    expect(await readFile(log, 'utf8')).toContain('Recollect has stopped.');
  });
});
