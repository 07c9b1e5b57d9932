import { expect, test } from 'vitest';
import { createReport } from '../src/transfer/import-records.js';

test('EXP-6: a report counts omitted entries, and keeps a place for the missing end', () => {
  const report = createReport();
  for (let number = 0; number < 5_000; number++) report.store(`${number}`, 'conflict');
  for (let line = 0; line < 1_200; line++) report.fail(`line ${line}`, 'The line is not valid JSON.');
  const { skipped, failed, ...counts } = report.finish();
  expect(counts).toMatchObject({ found: 6_200, skippedCount: 5_000, failedCount: 1_201, isComplete: false });
  expect([skipped.length, failed.length, failed.at(-1)?.item]).toEqual([1_000, 1_000, 'end']);
});
