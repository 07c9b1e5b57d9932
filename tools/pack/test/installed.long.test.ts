import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packProgram } from '../src/pack-program.mjs';
import { type Account, createAccount, filesBelow } from './installation.js';

// Without the repository: everything here comes from the packed file.

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const LAMPS = join(root, 'packages/extraction/test/fixtures/pdf/lamps.pdf');

let file: string;
let account: Account;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-pack-'));
  const target = { os: process.platform, cpu: process.arch };
  file = await packProgram(root, { target, output: join(folder, 'packed') });
  account = createAccount(folder);
  const { code, err } = await account.run('npm', ['install', '-g', '--offline', `--prefix=${account.prefix}`, file]);
  expect([code, err]).toEqual([0, '']);
});
afterAll(() => account?.remove());

/** Searches until the model has answered in time, for which it has two seconds. */
async function search(...words: string[]) {
  for (;;) {
    const answer = await account.json(['search', ...words]);
    if (!answer.warnings?.some((warning: string) => /model did not respond/.test(warning))) return answer;
  }
}

const savePage = (address: string, body: object) =>
  fetch(`${address}/api/v1/capture`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(async (response) => (await response.json()).captures[0]);

test('CLI-7: the installation has at most 300 MB, with the native parts of this system only', async () => {
  const files = filesBelow(account.prefix);
  expect([...files.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(300_000_000);
  const natives = [...files.keys()].filter((path) => /\.(?:node|so|dylib|dll)(?:\.[\d.]+)?$/.test(path));
  expect(natives.length).toBeGreaterThan(2);
  expect(natives.filter((path) => !path.includes(process.arch) && !path.includes(process.platform))).toEqual([]);
  expect([...files.keys()].filter((path) => /\.(?:map|d\.ts|c|h)$/.test(path))).toEqual([]);
  const manifest = JSON.parse(await readFile(join(account.installed, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.scripts ?? {})).toEqual([]);
});

test('CLI-7: the server of the package serves the web app, the documentation and the extension', async () => {
  const { address, stop } = await account.serve('recollect', ['serve']);
  const textOf = async (path: string) => {
    const response = await fetch(address + path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };
  expect(JSON.parse(await textOf('/healthz')).status).toBe('ok');
  const page = await textOf('/');
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  expect((await textOf(script)).length).toBeGreaterThan(10_000);
  expect(await textOf('/docs')).toContain('Recollect');
  const archive = await fetch(`${address}/api/v1/extension/package`);
  const [bytes] = [new Uint8Array(await archive.arrayBuffer())];
  expect([archive.status, String.fromCharCode(...bytes.slice(0, 2))]).toEqual([200, 'PK']);
  // HTML and PDFs are read in separate processes.
  const html = '<title>Bread</title><nav>Menu</nav><article><p>Sourdough needs flour, water and time.</p></article>';
  const { id } = await savePage(address, { url: 'https://bread.example/', html });
  expect((await account.json(['show', id])).text).toContain('Sourdough needs flour');
  const pdf = (await readFile(LAMPS)).toString('base64');
  const saved = await savePage(address, { url: 'https://lamps.example/a.pdf', pdf, fileName: 'a.pdf' });
  expect((await account.json(['show', saved.id])).text.length).toBeGreaterThan(100);
  expect(await stop()).toBe(0);
});

test('CLI-7: the models of the package find memories by meaning, in other languages and in careful search', async () => {
  await account.json(['capture', '-'], 'Green tea is best steeped below boiling.');
  await account.json(['capture', '-'], 'Scouts dance for the cavity that they like, and the swarm follows.');
  expect((await search('how', 'hot', 'for', 'a', 'drink')).results[0].excerpt).toContain('Green tea');
  const careful = await search('--careful', 'insects choosing a nest');
  expect(careful.results[0].excerpt).toContain('Scouts');
  expect((await account.json(['doctor', '--json'])).findings.filter(isError)).toEqual([]);
  await account.json(['model', 'use', 'multilingual', '--force']);
  await account.recollect(['reindex']);
  expect((await search('insectes qui choisissent un nid')).results[0].excerpt).toContain('Scouts');
});

test('CLI-7: plugins, imports, backups and the extension work from the package', async () => {
  await account.json(['plugins', 'install', 'daily-digest']);
  await account.json(['plugins', 'install', 'link-rot', '--allow', 'network']);
  const { code, err } = await account.recollect(['plugins', 'run', 'link-rot', 'check', '--json']);
  expect([code, err]).toEqual([0, '']);
  const own = join(account.home, 'own-plugin');
  await account.json(['plugins', 'new', own]);
  await account.json(['plugins', 'install', own]);
  const tests = await account.run('npm', ['test', '--prefix', own]);
  expect([tests.code, tests.err]).toEqual([0, '']);
  const bookmarks = join(account.home, 'bookmarks.html');
  await writeFile(
    bookmarks,
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF="https://a.example/">Apples</A></DL>\n',
  );
  expect((await account.recollect(['import', bookmarks, '--json'])).code).toBe(0);
  const before = (await account.json(['status'])).memories;
  const { path } = await account.json(['backup', '--out', join(account.home, 'copy.db')]);
  await account.json(['capture', '-'], 'Saved after the backup.');
  await account.json(['restore', path, '--yes']);
  expect((await account.json(['status'])).memories).toBe(before);
  const passphrase = join(account.home, 'passphrase');
  await writeFile(passphrase, 'steep the green tea below boiling\n', { mode: 0o600 });
  const env = { RECOLLECT_BACKUP_PASSPHRASE_FILE: passphrase };
  const encrypted = join(account.home, 'copy.age');
  expect((await account.recollect(['backup', '--encrypt', '--out', encrypted], { env })).code).toBe(0);
  expect((await account.recollect(['restore', '--dry-run', encrypted], { env })).out).toContain('The backup is good.');
  const zip = join(account.home, 'extension.zip');
  await account.json(['extension', 'package', '--out', zip]);
  expect((await stat(zip)).size).toBeGreaterThan(10_000);
});

test('CLI-7: pages are fetched, and assistants are served, from the package', async () => {
  const pages = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<title>Figs</title><article><p>Figs ripen in late summer, and keep for two days.</p></article>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const { port } = pages.address() as AddressInfo;
  const fetched = await account.recollect(['capture', `http://127.0.0.1:${port}/figs`]);
  expect([fetched.code, fetched.err]).toEqual([0, '']);
  pages.close();
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const child = account.start('recollect', ['mcp']);
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  expect(JSON.parse(line).result.serverInfo.name).toBe('recollect');
  child.stdin.end();
  const { out } = await account.recollect(['mcp', '--print-config', 'cursor']);
  expect(out).toContain(account.installed.replaceAll('\\', '\\\\'));
});

test('CLI-7: npx runs the file without an installation', async () => {
  const elsewhere = { npm_config_prefix: join(account.home, 'empty') };
  const npx = await account.run('npx', ['--offline', '--yes', `file:${file}`, '--version'], { env: elsewhere });
  expect([npx.code, npx.err]).toEqual([0, '']);
  expect(npx.out).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{8}\.[0-9a-f]{8}\n$/);
});

test('CLI-7: an occupied port and a damaged file give a clear message', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const occupied = await account.recollect(['serve'], { env: { RECOLLECT_PORT: String(port) } });
  other.close();
  expect(occupied.code).not.toBe(0);
  expect(occupied.err).toContain(`Port ${port}`);
  // A model that was damaged after the installation.
  const copy = join(account.home, 'copy');
  await mkdir(copy);
  await cp(account.installed, copy, { recursive: true });
  await truncate(join(copy, 'packages/models/multilingual/tokenizer.json'), 1_000);
  const findings = await account.run(process.execPath, [join(copy, 'apps/cli/dist/bundle/main.js'), 'doctor']);
  expect(findings.out).toContain('Install Recollect again.');
  const broken = join(account.home, 'broken.tgz');
  await copyFile(file, broken);
  await truncate(broken, 1_000_000);
  const installed = await account.run('npm', ['install', '-g', '--offline', `--prefix=${join(copy, 'p')}`, broken]);
  expect([installed.code === 0, installed.err]).toEqual([false, expect.stringContaining('unexpected end of file')]);
});

const isError = ({ severity }: { severity: string }) => severity === 'error';
