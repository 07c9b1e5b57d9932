import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportPart } from '@recollect/core';
import { createExportReader, type ExportReaderOptions } from '@recollect/importers';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DamagedJsonError, elementsOf } from '../src/json-elements.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, bytes: Uint8Array | string, options: ExportReaderOptions = {}, signal?: AbortSignal) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const parts: ExportPart[] = [];
  for await (const part of createExportReader(options).read(path, { name, signal })) parts.push(part);
  return parts;
}

const capture = (pageText: string) => ({ pageText });
const textsOf = (parts: readonly ExportPart[]) =>
  parts.flatMap((part) => ('capture' in part ? [part.capture.pageText] : []));
const failedOf = (parts: readonly ExportPart[]) => parts.filter((part) => 'failed' in part);

test('IMP-1: the elements of a list are those that JSON.parse finds', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t', '\r\n '), (list, space) => {
      const text = JSON.stringify(list, null, space);
      expect([...elementsOf(text, 0)]).toEqual(JSON.parse(text));
      if (list.length > 0) expect(() => [...elementsOf(text.slice(0, -1), 0)]).toThrow(DamagedJsonError);
    }),
  );
  for (const damaged of ['[1 2]', '[1,]', '[{"a":1]', '["\\"]', '[1,2', '[nul]'])
    expect(() => [...elementsOf(damaged, 0)], damaged).toThrow(DamagedJsonError);
});

test('IMP-1: reads more parts than one batch, in their order', async () => {
  const texts = Array.from({ length: 350 }, (_, at) => `Note ${at}`);
  expect(textsOf(await read('captures.json', JSON.stringify(texts.map(capture))))).toEqual(texts);
});

test('IMP-1: keeps the items before the damage of a list', async () => {
  const whole = JSON.stringify([capture('One'), capture('Two'), capture('Three')]);
  const parts = await read('captures.json', whole.slice(0, -5));
  expect(textsOf(parts)).toEqual(['One', 'Two']);
  expect(failedOf(parts)).toEqual([
    { failed: 'captures.json', reason: expect.stringMatching(/^It cannot be read to its end: the list ends/) },
  ]);
});

test('SEC-11: a file that takes too much memory is reported, and the others are read', async () => {
  const many = `{"bookmarks":[${'{},'.repeat(4_000_000)}{}]}`;
  const archive = zipSync({
    'a.json': strToU8(JSON.stringify([capture('Before')])),
    // Stored: it is not the compression that is too much.
    'b.json': [strToU8(many), { level: 0 }],
    'c.json': strToU8(JSON.stringify([capture('After')])),
  });
  const parts = await read('archive.zip', archive, { memoryMb: 64 });
  expect(textsOf(parts)).toEqual(['Before', 'After']);
  expect(failedOf(parts)).toEqual([{ failed: 'b.json', reason: 'It takes too much memory to read.' }]);
});

test('SEC-11: a file that takes too long is reported', async () => {
  const parts = await read('captures.json', JSON.stringify([capture('One')]), { timeLimit: 1 });
  expect(textsOf(parts)).toEqual([]);
  expect(failedOf(parts)[0]).toEqual({
    failed: 'captures.json',
    reason: 'It takes longer than 0.001 seconds to read.',
  });
});

test('IMP-1: ends with its signal, with the reason', async () => {
  const reason = new Error('gone');
  await expect(read('captures.json', '[]', {}, AbortSignal.abort(reason))).rejects.toBe(reason);
});
