import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reranker } from '@recollect/model-reranker';
import { expect, test } from 'vitest';

const checksum = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(reranker.folder, file)))
    .digest('hex');

test('SHA256SUMS lists every file of the reranker with its checksum', () => {
  const listed = new Map(
    readFileSync(join(reranker.folder, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
  const files = readdirSync(reranker.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(reranker.folder.length + 1)
        .replaceAll('\\', '/'),
    );
  expect([...listed.keys()].sort()).toEqual(files.sort());
  for (const [file, sum] of listed) expect([file, checksum(file)]).toEqual([file, sum]);
});

test('the id of the reranker contains the checksum of the weights', () => {
  const weights = checksum('onnx/model_quantized.onnx');
  expect(reranker.id).toBe(`ms-marco-MiniLM-L-12-v2-int8@${weights.slice(0, 12)}`);
});
