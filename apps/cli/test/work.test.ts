import { once } from 'node:events';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPluginCli, fixture, makeDue, type PluginCli } from './plugin-cli.js';

let cli: PluginCli;
beforeEach(async () => {
  cli = await createPluginCli();
});
afterEach(() => cli.remove());

test('CLI-14, REL-21: workers run the jobs of plugins, also after one of them was killed', async () => {
  await cli.json(['plugins', 'install', '--yes', fixture('many')]);
  await cli.withStorage(async (storage) => {
    for (let at = 0; at < 4; at++) await makeDue(storage, 'many', `job-${at}`);
  });
  const killed = cli.start(['work']);
  const worker = cli.start(['work']);
  let printed = '';
  worker.stdout?.on('data', (part) => {
    printed += part;
  });
  await once(killed.stdout ?? killed, 'data');
  killed.kill('SIGKILL');
  await cli.withStorage(async ({ pluginState }) => {
    for (let at = 0; at < 4; at++) await expect.poll(() => pluginState.get(LOCAL_USER, 'many', `job-${at}`)).toBe(1);
  });
  expect(printed).toContain(`Working on the memories in ${cli.environment.RECOLLECT_DATA_DIR}.`);
  worker.kill('SIGTERM');
  expect((await once(worker, 'exit'))[0]).toBe(0);
});
