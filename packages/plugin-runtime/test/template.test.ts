import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTemplate } from '@recollect/plugin-runtime/template';
import { expect, test } from 'vitest';
import { installed, openTestHost } from './open-test-host.js';

test('PLG-3: the plugin template passes its own test and runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-new-'));
  const open = await openTestHost();
  try {
    const mine = join(folder, 'my-plugin');
    expect(await writeTemplate(mine, 'my-plugin')).toMatchObject({ slug: 'my-plugin' });
    const { scripts } = JSON.parse(await readFile(join(mine, 'package.json'), 'utf8'));
    const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env;
    const tested = spawnSync(scripts.test, { cwd: mine, shell: true, encoding: 'utf8', env });
    expect(tested.stdout).toMatch(/pass 2/);
    expect(tested.status).toBe(0);

    const plugin = installed(await open.host.add(mine, { sha256: null, allow: [] }));
    expect(plugin.manifest).toMatchObject({ slug: 'my-plugin', observesCaptures: true, scopes: ['list', 'tag'] });
    await expect(writeTemplate(mine, 'my-plugin')).rejects.toThrow(/is not empty/);
    expect((await writeTemplate(join(folder, 'a'), ' 1 Not a Name! ')).slug).toBe('not-a-name');
    expect((await writeTemplate(join(folder, 'b'), '日本')).slug).toBe('reading-time');
  } finally {
    await open.close();
    await rm(folder, { recursive: true });
  }
});
