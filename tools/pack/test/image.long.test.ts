import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { chown, copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packProgram } from '../src/pack-program.mjs';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
/** buildah builds and runs images without a daemon; without namespaces only for root. */
const hasBuilder =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  (await run('buildah', ['--version']).then(
    () => true,
    () => false,
  ));
const USER = 65532;

describe.skipIf(!hasBuilder)('the image (needs buildah and root: apt-get install buildah)', () => {
  let folder: string;
  let stopServer = async () => {};
  const options = () => ({
    cwd: repository,
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
  });
  const storage = () => [
    ...['--storage-driver', 'vfs'],
    ...['--root', join(folder, 'store'), '--runroot', join(folder, 'run')],
  ];
  const buildah = (...words: string[]) =>
    run('buildah', [...storage(), ...words], { ...options(), maxBuffer: 16_000_000 }).then(({ stdout }) =>
      stdout.trim(),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-image-'));
    const packed = join(repository, 'dist');
    const file = await packProgram(repository, { target: { os: 'linux', cpu: process.arch }, output: packed });
    // The registries of images may be out of reach: the base consists of the programs and libraries of this system.
    const natives = globSync(`node_modules/.pnpm/onnxruntime-node@*/**/linux/${process.arch}/libonnxruntime.so.1`, {
      cwd: repository,
    });
    const loaded = [process.execPath, ...natives.map((path) => join(repository, path))];
    await writeRoot(join(folder, 'base'), ['/bin/sh', '/usr/bin/env', '/bin/mkdir'], loaded);
    await mkdir(join(folder, 'node', 'usr/local/bin'), { recursive: true });
    await copyFile(process.execPath, join(folder, 'node', 'usr/local/bin/node'));
    const npm = dirname(dirname(await realpath((await run('which', ['npm'])).stdout.trim())));
    await cp(npm, join(folder, 'node', 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'node', 'usr/local/bin/npm'));
    for (const [name, from] of [
      ['base', 'scratch'],
      ['node', 'localhost/base'],
    ] as const) {
      await writeFile(join(folder, 'Containerfile'), `FROM ${from}\nCOPY ${name} /\n`);
      await buildah('bud', '--quiet', '--tag', `localhost/${name}`, '--file', join(folder, 'Containerfile'), folder);
    }
    const builtFrom = { NODE: 'localhost/node', BASE: 'localhost/base', PACKAGE: file.slice(repository.length + 1) };
    const values = Object.entries(builtFrom).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    await buildah('bud', '--quiet', '--format', 'docker', ...values, '--tag', 'localhost/recollect', '.');
  });
  afterAll(async () => {
    await stopServer();
    await rm(folder, { recursive: true, force: true });
  });

  test('CLI-12: has less than 400 MB, runs as no special user, and is checked', async () => {
    const { Docker, FromImageID } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/recollect'));
    expect(FromImageID).toBeDefined();
    expect(Docker.config).toMatchObject({
      User: `${USER}:${USER}`,
      Volumes: { '/data': {} },
      Healthcheck: { Test: expect.arrayContaining(['node']) },
      StopSignal: 'SIGTERM',
    });
    const [{ size }] = JSON.parse(await buildah('images', '--json', 'localhost/recollect'));
    const [, number, unit] = /^([\d.]+) (\w+)$/.exec(size) ?? [];
    expect([unit, Number(number) < 400]).toEqual(['MB', true]);
  });

  test('CLI-12: saves, is restarted, and finds the memory again', async () => {
    const data = join(folder, 'data');
    await mkdir(data);
    await chown(data, USER, USER);
    const container = await buildah('from', 'localhost/recollect');
    const port = await freePort();
    const inside = ['--env', `RECOLLECT_PORT=${port}`, '--volume', `${data}:/data`, container, '--'];
    const [key = ''] = (await buildah('run', ...inside, 'recollect', 'keys', 'create')).split('\n');
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
    const serve = async () => {
      const server = spawn('buildah', [...storage(), 'run', ...inside, 'recollect', 'serve'], {
        ...options(),
        stdio: 'ignore',
        detached: true,
      });
      const ended = new Promise((resolve) => server.once('exit', resolve));
      stopServer = async () => {
        stopServer = async () => {};
        process.kill(-(server.pid ?? 0), 'SIGTERM');
        await ended;
      };
      const isUp = () =>
        call('/healthz').then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isUp, { timeout: 300_000 }).toBe(true);
    };
    await serve();
    const body = JSON.stringify({ title: 'Tea', pageText: 'Green tea is best steeped well below boiling.' });
    expect((await call('/api/v1/capture', { method: 'POST', body })).status).toBe(200);
    await stopServer();
    await serve();
    const query = JSON.stringify({ query: 'how hot should the water be' });
    const found = await call('/api/v1/capture/query', { method: 'POST', body: query }).then((response) =>
      response.json(),
    );
    expect(JSON.stringify(found)).toContain('Green tea');
  });
});

/** Writes a root file system with programs of this system, and the libraries that they and other files load. */
async function writeRoot(root: string, programs: readonly string[], others: readonly string[]): Promise<void> {
  const files = new Set(programs);
  for (const file of [...programs, ...others]) {
    // A program without libraries makes ldd fail.
    const { stdout } = await run('ldd', [file]).catch(() => ({ stdout: '' }));
    for (const [path] of stdout.matchAll(/\/\S+/g)) if (!path.startsWith('/tmp')) files.add(path);
  }
  for (const path of files) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await copyFile(path, join(root, path));
  }
  await mkdir(join(root, 'tmp'), { mode: 0o1777 });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
