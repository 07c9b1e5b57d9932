import { expect, test } from 'vitest';
import { packageOf } from '../src/build.mjs';

test('each package that is built is reported by its name, and nothing else is', () => {
  const lines = [
    '• Running build in 24 packages',
    '@recollect/contract:build: cache miss, executing 1f2e3d4c5b6a7988',
    '\u001b[36m@recollect/web:build: \u001b[0mcache hit, suppressing logs 1f2e3d4c5b6a7988',
    '@recollect/web:build: dist/index.html  0.9 kB',
    ' Tasks:    21 successful, 21 total',
  ];
  expect(lines.map(packageOf)).toEqual([null, 'contract', 'web', null, null]);
});
