import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStoreArchive } from '../dist/archive/index.js';

test('EXT-8: the linter of addons.mozilla.org, which web-ext uses, finds no errors', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-lint-'));
  try {
    const file = join(folder, 'firefox.zip');
    await writeFile(file, await createStoreArchive({ version: '0.1.0', browser: 'firefox' }));
    const linter = createRequire(import.meta.url)('addons-linter');
    const config = { _: [file], logLevel: 'fatal', output: 'none', stack: false };
    const { errors, warnings, notices } = await linter.createInstance({ config, runAsBinary: false }).run();
    expect([errors, notices]).toEqual([[], []]);
    // Preact sets it only for a property that nothing here uses. Defuddle and Turndown parse a copy of the page, which
    // is not shown. Each script with Preact has one.
    expect([...new Set(warnings.map(({ code }: { code: string }) => code))]).toEqual(['UNSAFE_VAR_ASSIGNMENT']);
    expect(warnings.length).toBeLessThanOrEqual(10);
  } finally {
    await rm(folder, { recursive: true });
  }
});
