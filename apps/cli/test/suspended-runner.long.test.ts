import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPluginCli, fixture, makeDue, type PluginCli } from './plugin-cli.js';

let cli: PluginCli;
beforeEach(async () => {
  cli = await createPluginCli();
});
afterEach(() => cli.remove());

test('REL-10: a runner that was suspended past its lease writes nothing when it resumes', async () => {
  await cli.json(['plugins', 'install', '--yes', fixture('diary')]);
  await cli.withStorage((storage) => makeDue(storage, 'diary', 'save-slowly'));
  const stopped = cli.start(['jobs:run-due', '--json']);
  let printed = '';
  stopped.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  const isHeld = () =>
    cli.withStorage(
      async ({ pluginJobs }) =>
        (await pluginJobs.due(new Date().toISOString(), { limit: 1, userId: null })).length === 0,
    );
  await expect.poll(isHeld).toBe(true);
  await expect.poll(cli.countProcesses).toBe(1);
  await sleep(500);
  stopped.kill('SIGSTOP');
  // The lease ends at most 30 s after its last renewal, and another runner takes over within 35 s.
  const until = Date.now() + 35_000;
  let taken = await cli.json(['jobs:run-due']);
  while (taken.processed === 0 && Date.now() < until) {
    await sleep(1_000);
    taken = await cli.json(['jobs:run-due']);
  }
  expect(taken).toMatchObject({ processed: 1, results: [{ status: 'success' }] });
  const exited = once(stopped, 'exit');
  stopped.kill('SIGCONT');
  expect(await exited).toEqual([0, null]);
  expect(JSON.parse(printed)).toMatchObject({ processed: 0, results: [] });
  expect((await cli.json(['plugins', 'runs', 'diary'])).runs.length).toBe(1);
  const { memories } = await cli.json(['recent']);
  expect(memories.map(({ id }: { id: string }) => id)).toEqual([taken.results[0].summary]);
  await expect.poll(cli.countProcesses).toBe(0);
});
