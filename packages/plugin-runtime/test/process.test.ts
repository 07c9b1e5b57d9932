import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { fixture, installed, openFaultyPlugin, openTestHost, UNREACHED } from './open-test-host.js';

const { open, strictHost, limits, faulty, close } = await openFaultyPlugin();
afterAll(close);

/** How many processes run with a folder in their command line. */
function processesIn(folder: string): number {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(folder) && line.includes('plugin-runtime/dist/bundle'))
    .length;
}

describe('a process', () => {
  test('PLG-1: runs the calls of one plugin one by one and rejects too many', async () => {
    const busy = strictHost.run(faulty, 'never-answers');
    // The process has the lowest priority: beside other tests, a call may wait for seconds.
    limits.jobMs = UNREACHED.jobMs;
    const waiting = Array.from({ length: 120 }, () => strictHost.run(faulty, 'fine'));
    const outcomes = await Promise.all(waiting);
    const refused = outcomes.filter(
      (outcome) => 'summary' in outcome && /Too many calls are waiting/.test(outcome.summary),
    );
    expect(refused.length).toBeGreaterThan(10);
    expect(outcomes.filter(({ kind }) => kind === 'done').length).toBe(120 - refused.length);
    expect((await busy).kind).toBe('timeout');
  });

  test('PLG-1: signals a cancelled call to stop, and kills it when it does not', async () => {
    const stopping = new AbortController();
    // The process may take long to start. Its first request shows that the job has begun.
    const answer = async () => {
      stopping.abort();
      return null;
    };
    const call = { userId: 'ann', signal: stopping.signal, answer };
    expect(await open.host.call(faulty, { kind: 'job', jobId: 'stops-when-told' }, call)).toMatchObject({
      summary: 'stopped in time',
    });
    const again = new AbortController();
    setTimeout(() => again.abort(), 200);
    expect(await open.run(faulty, 'never-answers', again.signal)).toEqual({ kind: 'stopped' });
    expect(await open.run(faulty, 'fine', AbortSignal.abort())).toEqual({ kind: 'stopped' });
  });

  test('SEC-14: ends when it is idle', async () => {
    const idle = await openTestHost({ idleMs: 200 });
    try {
      const plugin = installed(await idle.host.add(fixture('faulty'), { sha256: null, allow: [] }));
      await idle.run(plugin, 'fine');
      const count = () => processesIn(idle.folder);
      expect(count()).toBe(1);
      await expect.poll(count).toBe(0);
      expect((await idle.run(plugin, 'fine')).kind).toBe('done');
    } finally {
      await idle.close();
    }
  });

  test('SEC-14: ends when its host closes', async () => {
    const other = await openTestHost();
    const plugin = installed(await other.host.add(fixture('faulty'), { sha256: null, allow: [] }));
    const running = other.run(plugin, 'spins');
    await expect.poll(() => processesIn(other.folder)).toBe(1);
    await other.host.close();
    expect((await running).kind).toBe('stopped');
    expect(processesIn(other.folder)).toBe(0);
    await other.close();
  });
});
