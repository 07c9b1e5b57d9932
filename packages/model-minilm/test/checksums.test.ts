import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minilm } from '@recollect/model-minilm';
import { expect, test } from 'vitest';

test('SHA256SUMS lists every file of the model with its checksum', () => {
  const listed = new Map(
    readFileSync(join(minilm.folder, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line): [string, string] => [line.slice(68), line.slice(0, 64)]),
  );
  const files = readdirSync(minilm.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(minilm.folder.length + 1)
        .replaceAll('\\', '/'),
    );
  expect([...listed.keys()].sort()).toEqual(files.sort());
  for (const [file, sum] of listed) {
    expect([
      file,
      createHash('sha256')
        .update(readFileSync(join(minilm.folder, file)))
        .digest('hex'),
    ]).toEqual([file, sum]);
  }
});

test('whoever changes what the vectors depend on has to change the id', () => {
  const sums = readFileSync(join(minilm.folder, 'SHA256SUMS'), 'utf8');
  const files = sums.split('\n').filter((line) => /(?:config|tokenizer|tokenizer_config)\.json$|\.onnx$/.test(line));
  const { prefixes, pooling, isNormalised } = minilm.recipe;
  const recipe = JSON.stringify([files, prefixes, pooling, isNormalised]);
  expect([minilm.id, createHash('sha256').update(recipe).digest('hex').slice(0, 12)]).toEqual([
    'all-MiniLM-L6-v2-int8@5ca1efac1bf6',
    '220301b532ac',
  ]);
});

test('the id contains the checksum of the weights', () => {
  const weights = readFileSync(join(minilm.folder, 'onnx', 'model_quantized.onnx'));
  expect(minilm.id).toBe(`all-MiniLM-L6-v2-int8@${createHash('sha256').update(weights).digest('hex').slice(0, 12)}`);
});
