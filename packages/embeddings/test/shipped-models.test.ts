import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minilm } from '@recollect/models/minilm';
import { multilingual } from '@recollect/models/multilingual';
import { reranker } from '@recollect/models/reranker';
import { describe, expect, test } from 'vitest';
import { changedFiles } from '../src/model-folder.js';
import { vectorRecipe } from '../src/model-recipe.js';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

describe.each([
  ['minilm', minilm, 'all-MiniLM-L6-v2-int8'],
  ['multilingual', multilingual, 'multilingual-e5-small-int8'],
  ['reranker', reranker, 'ms-marco-MiniLM-L-12-v2-int8'],
] as const)('%s', (_, { id, folder }, name) => {
  test('SHA256SUMS lists every file of the model with its checksum', () => {
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const listed = Object.fromEntries(sums.map((line) => [line.slice(66), line.slice(0, 64)]));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
      .map((entry) => join(entry.parentPath, entry.name));
    const found = files.map((file) => [
      file.slice(folder.length + 1).replaceAll('\\', '/'),
      sha256(readFileSync(file)),
    ]);
    expect(Object.fromEntries(found)).toEqual(listed);
  });

  test('a file that was changed or is gone is named', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'recollect-model-'));
    try {
      await cp(folder, copy, { recursive: true });
      expect(await changedFiles(copy)).toEqual([]);
      await truncate(join(copy, 'onnx', 'model_quantized.onnx'), 1_000);
      await rm(join(copy, 'config.json'));
      expect((await changedFiles(copy)).sort()).toEqual(['config.json', 'onnx/model_quantized.onnx']);
      await rm(join(copy, 'SHA256SUMS'));
      expect(await changedFiles(copy)).toEqual([]);
    } finally {
      await rm(copy, { recursive: true });
    }
  });

  test('the id contains the checksum of the weights', () => {
    const weights = sha256(readFileSync(join(folder, 'onnx', 'model_quantized.onnx')));
    expect(id).toBe(`${name}@${weights.slice(0, 12)}`);
  });
});

test.each([
  ['minilm', minilm, 'all-MiniLM-L6-v2-int8@5ca1efac1bf6', 'f79c263169a0'],
  ['multilingual', multilingual, 'multilingual-e5-small-int8@fb7029ea4f2d', '83f40697fbce'],
] as const)('%s: a change of anything that the vectors depend on needs a new id', (_, model, id, sum) => {
  const sums = readFileSync(join(model.folder, 'SHA256SUMS'), 'utf8');
  const files = sums.split('\n').filter((line) => /(?:config|tokenizer|tokenizer_config)\.json$|\.onnx$/.test(line));
  expect([model.id, sha256(JSON.stringify([files, vectorRecipe(model.recipe)])).slice(0, 12)]).toEqual([id, sum]);
});
