import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCli } from './run-cli.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** A folder outside of the workspace. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-outside-'));
});
afterEach(() => rm(folder, { recursive: true }));

const runScript = async (script: string) => {
  await writeFile(join(folder, 'script.mjs'), script);
  return run(process.execPath, ['script.mjs'], { cwd: folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
};

test('every package says which Node it needs', () => {
  const manifests = globSync('{packages,apps,tools}/*/package.json', { cwd: root });
  expect(manifests.length).toBeGreaterThan(15);
  for (const path of manifests) {
    const { engines } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    expect([path, engines]).toEqual([path, { node: path.startsWith('tools/bootstrap') ? '>=20' : '>=22.18' }]);
  }
});

test('the example of docs/packages.md works outside of the workspace', async () => {
  const cli = await createCli();
  try {
    const server = await cli.serve();
    const [, example = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(root, 'docs/packages.md'), 'utf8')) ?? [];
    const script = example
      .replace("'/path/to/recollect/", `'${pathToFileURL(root).href}`)
      .replace('http://127.0.0.1:4545', server.address);
    expect(await runScript(script)).toEqual({
      code: 0,
      stdout: 'Green tea is best steeped below boiling.\n',
      stderr: '',
    });
    await server.stop();
  } finally {
    await cli.remove();
  }
});

test('every entry that docs/packages.md names can be imported, and the memory works without a server', async () => {
  const listed = [...readFileSync(join(root, 'docs/packages.md'), 'utf8').matchAll(/`(packages\/[\w./-]+\.js)`/g)];
  const entries = listed.map(([, path = '']) => pathToFileURL(join(root, path)).href);
  expect(entries.length).toBeGreaterThan(5);
  const from = (name: string) => JSON.stringify(pathToFileURL(join(root, 'packages', name, 'dist/index.js')).href);
  const script = `
    for (const entry of ${JSON.stringify(entries)}) await import(entry);
    const { openStorage } = await import(${from('storage')});
    const { createCore } = await import(${from('core')});
    const storage = await openStorage({ url: 'sqlite::memory:' });
    const core = createCore({ ...storage });
    await core.capture('local', [{ pageText: 'Green tea' }]);
    console.log((await core.query('local', 'tea')).answer.results.length);
    await storage.close();`;
  expect(await runScript(script)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
});

test('on an older Node, the store says what it needs', async () => {
  const { code, stderr } = await runScript(`
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
    await import(${JSON.stringify(pathToFileURL(join(root, 'packages/storage/dist/index.js')).href)});`);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('@recollect/storage needs Node 22.18 or later, but this is Node 20.19.0.'),
  ]);
});

test('CLI-7: on an older Node, the command says what it needs', async () => {
  const { code, stderr } = await runScript(`
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
    await import(${JSON.stringify(pathToFileURL(join(root, 'apps/cli/dist/bundle/main.js')).href)});`);
  expect([code, stderr]).toEqual([
    1,
    'Recollect needs Node 22.18 or later, but this is Node 20.19.0. Update Node, then try again.\n',
  ]);
});
