import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFileAtomically } from '../src/transfer/write-file.js';
import { writeMarkdownFolder } from '../src/transfer/write-folder.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-write-'));
});
afterEach(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();

async function* textsOf(...texts: string[]) {
  yield* texts;
}

async function* failing(): AsyncGenerator<never> {
  yield* [];
  throw new Error('The store is gone.');
}

test('EXP-9: what a killed process with the same id left behind is neither in the way nor removed', async () => {
  const [file, notes] = [join(folder, 'a.jsonl'), join(folder, 'notes')];
  const left = [`${file}.${process.pid}.partial`, `${notes}.${process.pid}.partial`] as const;
  await writeFile(left[0], 'left');
  await mkdir(left[1]);
  await expect(writeFileAtomically(file, failing(), signal)).rejects.toThrow('gone');
  await expect(writeMarkdownFolder(notes, failing(), signal)).rejects.toThrow('gone');
  expect(await readdir(folder)).toHaveLength(2);
  expect(await writeFileAtomically(file, textsOf('one\n', 'two\n'), signal)).toBe(8);
  await writeMarkdownFolder(notes, Readable.from([]), signal);
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  expect((await readdir(folder)).sort()).toEqual(
    ['a.jsonl', 'notes', ...left.map((path) => path.slice(folder.length + 1))].sort(),
  );
});
