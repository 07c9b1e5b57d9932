import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LoadedProgram, loadProgram } from '../src/load-program.js';

interface Program {
  greet(): string;
  name: string;
}

/** Two modules that need each other, and one of Node. */
const MODULES = {
  'main.cjs': `const { basename } = require('node:path');
exports.name = 'tea';
const other = require('./other.cjs');
exports.greet = () => other.greet(basename(__filename));`,
  'other.cjs': `const main = require('./main.cjs');
exports.greet = (from) => \`\${main.name} of \${from}\`;`,
};

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'recollect-program-'));
  folder = root;
  for (const [name, code] of Object.entries(MODULES)) await writeFile(join(folder, name), code);
});
afterEach(() => rm(root, { recursive: true }));

const open = (): LoadedProgram<Program> => loadProgram(join(folder, 'main.cjs'), join(folder, 'cache'));
const kept = () =>
  readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cjs'))
    .map((path) => join(folder, 'cache', path))
    .sort();

describe('the program', () => {
  test('loads modules that need each other, and keeps the code that V8 compiled until then', () => {
    const first = open();
    first.keep('missing');
    const [before = Buffer.alloc(0)] = kept().map((path) => readFileSync(path));
    const second = open();
    expect(second.exports.greet()).toBe('tea of main.cjs');
    second.keep('missing');
    expect(kept()).toHaveLength(2);
    expect(readFileSync(kept()[0] ?? '')).toEqual(before);
    second.keep('all');
    expect(readFileSync(kept()[0] ?? '').length).toBeGreaterThan(before.length);
    expect(open().exports.greet()).toBe('tea of main.cjs');
  });

  test('does not take code that the disk has changed, and replaces it', async () => {
    const whole = open();
    whole.exports.greet();
    whole.keep('missing');
    const [path = ''] = kept();
    const code = readFileSync(path);
    const flipped = Buffer.from(code);
    flipped[code.length >> 1] = (flipped[code.length >> 1] ?? 0) ^ 1;
    for (const damaged of [flipped, code.subarray(0, code.length >> 1), Buffer.alloc(0), Buffer.alloc(64)]) {
      await writeFile(path, damaged);
      const loaded = open();
      expect(loaded.exports.greet()).toBe('tea of main.cjs');
      loaded.keep('missing');
      // V8 may have dropped the code of some functions meanwhile, so it need not be the same.
      const replaced = readFileSync(path);
      const checksum = crc32(replaced.subarray(0, -4), crc32(MODULES['main.cjs']));
      expect([replaced.length > 64, replaced.readUInt32LE(replaced.length - 4)]).toEqual([true, checksum]);
    }
  });

  test('does not take code of another version of V8, and replaces it', async () => {
    const own = open();
    own.exports.greet();
    own.keep('missing');
    // In another folder, since V8 remembers what it has compiled in this process.
    const elsewhere = join(folder, 'elsewhere');
    for (const name of Object.keys(MODULES)) await cp(join(folder, name), join(elsewhere, name));
    await cp(join(folder, 'cache'), join(elsewhere, 'cache'), { recursive: true });
    folder = elsewhere;
    const [path = ''] = kept();
    const code = readFileSync(path);
    // The version is the second number of V8's own header. The last number is the checksum.
    const foreign = Buffer.from(code);
    foreign.writeUInt32LE((foreign.readUInt32LE(4) ^ 1) >>> 0, 4);
    foreign.writeUInt32LE(crc32(foreign.subarray(0, -4), crc32(MODULES['main.cjs'])), foreign.length - 4);
    await writeFile(path, foreign);
    const loaded = open();
    expect(loaded.exports.greet()).toBe('tea of main.cjs');
    loaded.keep('missing');
    expect(readFileSync(path).subarray(0, 12)).toEqual(code.subarray(0, 12));
  });

  test('does not take the code of an earlier module of the same length', () => {
    const earlier = open();
    earlier.exports.greet();
    writeFileSync(join(folder, 'other.cjs'), MODULES['other.cjs'].replace(' of ', ' is '));
    // As a server that was running while the program was built again.
    earlier.keep('all');
    const later = open();
    expect(later.exports.greet()).toBe('tea is main.cjs');
    later.keep('missing');
    expect(open().exports.greet()).toBe('tea is main.cjs');
  });

  test('starts where nothing can be kept', async () => {
    await writeFile(join(folder, 'cache'), 'a file');
    const loaded = open();
    loaded.keep('all');
    expect(loaded.exports.greet()).toBe('tea of main.cjs');
  });

  test('leaves no part of a file that could not be kept', async () => {
    open().keep('all');
    const [path = ''] = kept();
    await rm(path);
    await mkdir(join(path, 'taken'), { recursive: true });
    const before = readdirSync(dirname(path));
    open().keep('all');
    expect(readdirSync(dirname(path))).toEqual(before);
  });

  test('loads a module again that could not be loaded', async () => {
    const late = join(folder, 'late.cjs');
    await writeFile(join(folder, 'other.cjs'), `exports.greet = () => require('./late.cjs').text;`);
    const { greet } = open().exports;
    expect(greet).toThrow(/ENOENT/);
    await writeFile(late, `require('./missing.cjs');`);
    expect(greet).toThrow(/ENOENT/);
    await writeFile(late, `exports.text = 'late tea';`);
    expect(greet()).toBe('late tea');
  });

  test('names the file and the place of an error', async () => {
    await writeFile(join(folder, 'other.cjs'), `exports.greet = () => { throw new Error('No tea.'); };`);
    const { greet } = open().exports;
    const stackOf = (error: unknown) => (error as Error).stack;
    await expect(Promise.resolve().then(greet).catch(stackOf)).resolves.toContain(`${join(folder, 'other.cjs')}:1:31`);
  });

  test('CLI-1: the build keeps the code of the commands of every day', async () => {
    const [data, cache] = [join(folder, 'data'), join(folder, 'cache')];
    await mkdir(data);
    const warmUp = fileURLToPath(new URL('../dist/warm-up.js', import.meta.url));
    await promisify(execFile)(process.execPath, [warmUp, data, cache], {
      env: {
        RECOLLECT_DATA_DIR: data,
        RECOLLECT_PORT: '0',
        RECOLLECT_EMBEDDINGS: 'off',
        RECOLLECT_BACKUPS: 'off',
      },
    });
    const names = kept().map((path) => basename(path));
    // The chunks of each package that every one of those commands loads.
    for (const name of ['main.cjs', 'cli-', 'core-', 'contract-', 'server-', 'storage-', 'commander-'])
      expect(names).toContainEqual(expect.stringMatching(`^${name}`));
  });
});
