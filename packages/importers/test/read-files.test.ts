import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readFiles, UnreadableArchiveError } from '@recollect/importers';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-import-'));
});
afterEach(() => rm(folder, { recursive: true }));

const decode = (bytes: Uint8Array) => (bytes.includes(0) ? null : new TextDecoder().decode(bytes));

async function readAll(name: string, bytes: Uint8Array, signal?: AbortSignal) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const found: unknown[] = [];
  for await (const file of readFiles(path, { decode, signal }))
    found.push('text' in file ? [file.name, file.text] : file);
  return found;
}

test('IMP-1: a file, and the texts of an archive and of archives in it', async () => {
  expect(await readAll('a.json', strToU8('{}'))).toEqual([['a.json', '{}']]);
  const inner = zipSync({ 'conversations.json': strToU8('[2]') });
  const archive = zipSync({
    'Takeout/': new Uint8Array(),
    'Takeout/Keep/Tea.json': strToU8('{"title":"Tea"}'),
    'Takeout/Keep/Tea.jpg': new Uint8Array([1, 0]),
    'Takeout/Keep/binary.txt': new Uint8Array([65, 0]),
    'part-1.zip': inner,
    'not-a.zip': strToU8('no archive'),
  });
  // The name of the archive does not matter.
  expect(await readAll('export', archive)).toEqual([
    ['Takeout/Keep/Tea.json', '{"title":"Tea"}'],
    { other: 'Takeout/Keep/Tea.jpg' },
    { skipped: 'Takeout/Keep/binary.txt', reason: 'Not a text file.' },
    ['part-1.zip/conversations.json', '[2]'],
  ]);
});

test('IMP-1: names of an archive are read in UTF-8, with and without its flag, and in CP437', async () => {
  const field = (name: string, unicode: string) => {
    const head = Buffer.from([1, 0, 0, 0, 0]);
    head.writeUInt32LE(crc32(Buffer.from(name, 'latin1')), 1);
    return { extra: { 28789: Uint8Array.from([...head, ...Buffer.from(unicode)]) } };
  };
  const archive = zipSync({
    // The only name with the flag.
    'Grüße/Käse.md': strToU8('1'),
    'T%%r/a.md': strToU8('2'),
    'M&t\\Caf@.md': strToU8('3'),
    'old.md': [strToU8('4'), field('old.md', 'новое.md')],
    'stale.md': [strToU8('5'), field('other.md', 'wrong.md')],
  });
  const bytes = Buffer.from(archive)
    .toString('latin1')
    .replaceAll('T%%r', 'T\u00c3\u00bcr')
    .replaceAll('M&t\\Caf@', 'M\u0081t\\Caf\u0082');
  const found = (await readAll('names.zip', Buffer.from(bytes, 'latin1'))) as [string, string][];
  expect(found.map(([name]) => name)).toEqual(['Grüße/Käse.md', 'Tür/a.md', 'Müt/Café.md', 'новое.md', 'stale.md']);
});

test('IMP-1, IMP-4: hidden files and files in the trash are left out, and files that the Finder adds do not count', async () => {
  const archive = zipSync({
    'Vault/Tea.md': strToU8('Tea'),
    '__MACOSX/Vault/._Tea.md': new Uint8Array([0, 5, 22, 7]),
    'Vault/._Bread.md': new Uint8Array([0, 5, 22, 7]),
    'Vault/.DS_Store': new Uint8Array([0, 0, 0, 1]),
    'Vault/.trash/Old.md': strToU8('Old'),
    'Vault/.obsidian/app.json': strToU8('{}'),
  });
  expect(await readAll('vault.zip', archive)).toEqual([
    ['Vault/Tea.md', 'Tea'],
    { other: 'Vault/.trash/Old.md' },
    { other: 'Vault/.obsidian/app.json' },
  ]);
});

test('IMP-1: a damaged file of an archive does not keep the others from being read', async () => {
  const files = {
    '../x.json': strToU8('[1]'),
    'bad.zip': strToU8('PK\u0003\u0004 garbage'),
    'b.json': strToU8('[2]'),
    'c.json.gz': gzipSync(strToU8('[3]')),
  };
  const archive = zipSync({ 'damaged.json': strToU8('["Hello B"]'), ...files }, { level: 0 });
  archive[Buffer.from(archive).indexOf('Hello B') + 6] = 0x58;
  expect(await readAll('a.zip', archive)).toEqual([
    { skipped: 'damaged.json', reason: 'It cannot be read: its checksum is another one.' },
    ['../x.json', '[1]'],
    { skipped: 'bad.zip', reason: expect.stringContaining('It cannot be read') },
    ['b.json', '[2]'],
    ['c.json.gz', '[3]'],
  ]);
  expect(await readAll('conversations.json.gz', gzipSync(strToU8('[4]')))).toEqual([['conversations.json.gz', '[4]']]);
  let nested = zipSync({ 'deep.json': strToU8('[5]') });
  for (let depth = 0; depth < 4; depth++) nested = zipSync({ 'inner.zip': nested });
  expect(await readAll('deep.zip', nested)).toMatchObject([{ reason: expect.stringContaining('too large') }]);
});

test('IMP-1: a damaged archive is an error, and a signal ends the reading', async () => {
  const archive = zipSync({ 'a.json': strToU8('[1]'.repeat(1_000)), 'b.json': strToU8('[2]') }, { level: 0 });
  await expect(readAll('cut.zip', archive.subarray(0, 200))).rejects.toBeInstanceOf(UnreadableArchiveError);
  await expect(readAll('whole.zip', archive, AbortSignal.abort(new Error('Stopped.')))).rejects.toThrow('Stopped.');
});

test('SEC-11: a file that unfolds to far more than its own size is refused, alone and with the other files', async () => {
  const bomb = strToU8(' '.repeat(200_000));
  const path = join(folder, 'file');
  const unfolded = { always: 100_000, times: 10 };
  const found = async (bytes: Uint8Array) => {
    await writeFile(path, bytes);
    const names: string[] = [];
    for await (const file of readFiles(path, { decode, unfolded }))
      names.push(
        'skipped' in file
          ? `refused ${file.skipped}`
          : 'other' in file
            ? file.other
            : 'document' in file
              ? file.document
              : file.name,
      );
    return names;
  };
  expect(await found(gzipSync(bomb))).toEqual(['refused file']);
  expect(await found(zipSync({ 'a.json': bomb }))).toEqual(['refused a.json']);
  expect(await found(zipSync({ 'a.json.gz': gzipSync(bomb) }))).toEqual(['refused a.json.gz']);
  const half = bomb.subarray(0, 80_000);
  expect(await found(zipSync({ 'a.json': half, 'b.json.gz': gzipSync(half), 'c.json': half }))).toEqual([
    'a.json',
    'refused b.json.gz',
    'refused c.json',
  ]);
  expect(await found(zipSync({ 'a.json': [bomb, { level: 0 }] }))).toEqual(['a.json']);
});
