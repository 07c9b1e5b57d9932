import { createClient } from '@recollect/contract/client';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPluginCli, fixture, makeDue, type PluginCli } from './plugin-cli.js';

let cli: PluginCli;
beforeEach(async () => {
  cli = await createPluginCli();
});
afterEach(() => cli.remove());

/** Runs due jobs in a separate process. */
async function runDue(): Promise<{ processed: number }> {
  const { code, out, err } = await cli.runProcess(['jobs:run-due', '40', '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

/** Jobs that are due: more in the long suite, because each needs a process. */
const DUE = process.env.LONG === '1' ? 200 : 24;
/** Captures that an event is delivered for. */
const CAPTURES = process.env.LONG === '1' ? 200 : 80;
/** How many of them come before the server is killed. */
const BEFORE = 30;

describe('concurrent runners', () => {
  test('PLG-5, REL-10: three concurrent runners run each due job exactly once', { tags: 'long' }, async () => {
    await cli.json(['plugins', 'install', '--yes', fixture('many')]);
    await cli.withStorage(async (storage) => {
      for (let at = 0; at < DUE; at++) await makeDue(storage, 'many', `job-${at}`);
    });
    const runner = async () => {
      let processed = 0;
      for (let idle = 0; idle < 2; ) {
        const answer = await runDue();
        processed += answer.processed;
        idle = answer.processed === 0 ? idle + 1 : 0;
      }
      return processed;
    };
    const counts = await Promise.all([runner(), runner(), runner()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(DUE);
    await cli.withStorage(async ({ pluginJobs, pluginState }) => {
      const runs = await pluginJobs.runs(LOCAL_USER, 'many', { jobId: null, limit: 10_000 });
      expect(runs.length).toBe(DUE);
      expect(new Set(runs.map(({ jobId }) => jobId)).size).toBe(DUE);
      for (const { jobId, status } of runs) {
        expect([jobId, status, await pluginState.get(LOCAL_USER, 'many', jobId)]).toEqual([jobId, 'success', 1]);
      }
    });
  });

  test('PLG-6, REL-10: kill -9 of the server during captures loses no event', { tags: 'long' }, async () => {
    await cli.json(['plugins', 'install', '--yes', fixture('diary')]);
    let server = await cli.serve();
    let saved = 0;
    const captureAll = async (from: number, to: number) => {
      const client = createClient({ baseUrl: server.address });
      for (let at = from; at < to; at++) {
        await client('capture', { body: { title: `note ${at}`, pageText: `Note ${at}` } });
        saved = at;
      }
    };
    await captureAll(0, BEFORE);
    // Let some of the events be delivered first, so that the kill interrupts delivery too.
    await expect.poll(async () => (await deliveredEvents()).length).toBeGreaterThan(5);
    const interrupted = captureAll(BEFORE, CAPTURES).catch(() => {});
    await expect.poll(() => saved, { interval: 5 }).toBeGreaterThan((BEFORE + CAPTURES) / 2);
    await server.stop('SIGKILL');
    await interrupted;
    await expect.poll(cli.countProcesses).toBe(0);
    server = await cli.serve();
    await captureAll(BEFORE, CAPTURES);
    await expect
      .poll(async () => new Set((await deliveredEvents()).map(([, title]) => title)).size, { timeout: 90_000 })
      .toBe(CAPTURES);
    const titles = (await deliveredEvents()).map(([, title]) => title);
    const firsts = titles.filter((title, index) => titles.indexOf(title) === index);
    const inOrder = [...firsts].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)));
    expect(firsts).toEqual(inOrder);
    expect(await server.stop()).toBe(0);
  });

  test('REL-10: a server and two concurrent command lines run nothing twice', async () => {
    await cli.json(['plugins', 'install', '--yes', fixture('many')]);
    const server = await cli.serve();
    await cli.withStorage(async (storage) => {
      for (let at = 0; at < DUE; at++) await makeDue(storage, 'many', `job-${at}`);
    });
    await Promise.all([runDue(), runDue()]);
    await cli.withStorage(async ({ pluginJobs, pluginState }) => {
      await expect
        .poll(async () => (await pluginJobs.runs(LOCAL_USER, 'many', { jobId: null, limit: 1_000 })).length, {
          timeout: 60_000,
        })
        .toBe(DUE);
      for (let at = 0; at < DUE; at++) expect(await pluginState.get(LOCAL_USER, 'many', `job-${at}`)).toBe(1);
    });
    // The server is also a runner.
    await cli.withStorage(async (storage) => {
      await makeDue(storage, 'many', 'job-0');
      await expect.poll(() => storage.pluginState.get(LOCAL_USER, 'many', 'job-0')).toBe(2);
    });
    expect(await server.stop()).toBe(0);
  });
});

/** The events that the diary received: id, title and length. */
function deliveredEvents(): Promise<[string, string, number][]> {
  return cli.withStorage(async ({ pluginState }) => ((await pluginState.get(LOCAL_USER, 'diary', 'told')) ?? []) as []);
}
