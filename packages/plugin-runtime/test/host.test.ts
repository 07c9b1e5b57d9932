import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { openFaultyPlugin, UNREACHED } from './open-test-host.js';

const { open, strictHost, limits, faulty, close } = await openFaultyPlugin();
afterAll(close);

describe('a plugin that goes wrong', () => {
  const ends: Record<string, [string, RegExp]> = {
    throws: ['failed', /^It threw: boom$/],
    spins: ['timeout', /^It did not finish within 3 seconds and was killed\.$/],
    'eats-heap': ['failed', /^It used more than 128 MB of memory and was killed\.$/],
    'eats-buffers': ['failed', /^It used more than 128 MB of memory and was killed\.$/],
    prints: ['failed', /^It printed more than 1 MiB and was killed\.$/],
    logs: ['failed', /^It printed more than 1 MiB and was killed\.$/],
    'prints-in-a-loop': ['failed', /^It printed more than 1 MiB and was killed\.$/],
    'logs-in-a-loop': ['failed', /^It printed more than 1 MiB and was killed\.$/],
    'writes-to-the-line': ['failed', /^It sent an invalid message to its host and was killed\.$/],
    'forges-messages': ['failed', /^It sent an invalid message to its host and was killed\.$/],
    'asks-what-cannot-be-written': ['done', /^40 refused$/],
    exits: ['failed', /^Its process exited unexpectedly \(exit code 3\)\.$/],
    forks: ['failed', /^It threw: node:child_process is not available to plugins\.$/],
    'forks-by-require': ['failed', /^It threw: node:module is not available to plugins\.$/],
    'never-answers': ['timeout', /^It did not finish within 3 seconds and was killed\.$/],
    'throws-later': ['failed', /^Uncaught error: later$/],
    rejects: ['failed', /^Uncaught error: nobody waits$/],
    'kills-its-parent': ['failed', /^It threw: process\.kill is not available to plugins\.$/],
    'asks-without-end': ['failed', /^It threw: Too many requests at once\. Await the answers\.$/],
    'reads-a-file': ['failed', /^It threw: Access to this API has been restricted/],
    'writes-a-file': ['failed', /^It threw: Access to this API has been restricted/],
    connects: ['failed', /^It threw: node:net is not available to plugins without the permission network\.$/],
    fetches: ['failed', /^It threw: fetch is not defined$/],
    'finds-a-builtin': ['failed', /^It threw: process\.getBuiltinModule is not available/],
  };

  for (const [name, [kind, summary]] of Object.entries(ends)) {
    test(`REL-11: reports a plugin that ${name.replaceAll('-', ' ')} and serves the next call`, async () => {
      const host = kind === 'timeout' ? strictHost : open;
      const outcome = await host.run(faulty, name);
      expect(outcome.kind).toBe(kind);
      expect('summary' in outcome && outcome.summary).toMatch(summary);
      const { jobMs } = limits;
      limits.jobMs = UNREACHED.jobMs;
      expect(await host.run(faulty, 'fine')).toMatchObject({ kind: 'done', summary: 'fine' });
      limits.jobMs = jobMs;
    });
  }

  test('REL-11: applies a separate time limit to hooks', async () => {
    const startedAt = performance.now();
    const memory = { id: 'm', title: 't', sourceType: 'note', sourceApp: 'web', url: null, captureMode: 'page' };
    const event = {
      id: 'e',
      kind: 'capture' as const,
      time: '2026-01-31T12:00:00.000Z',
      memory: { ...memory, tags: [], metadata: {}, text: 'spins' },
    };
    const options = { userId: 'ann', signal: new AbortController().signal, answer: async () => null };
    const outcome = await strictHost.host.call(faulty, { kind: 'capture', event }, options);
    expect(outcome).toMatchObject({ kind: 'timeout', summary: 'It did not finish within 1 second and was killed.' });
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  test('REL-11: a plugin in an endless loop does not block the event loop of its host', async () => {
    const running = strictHost.run(faulty, 'spins');
    let isRunning = true;
    const ended = running.finally(() => {
      isRunning = false;
    });
    let turns = 0;
    for (; isRunning; turns++) await sleep(10);
    // A host that waits for its plugin would have one, however fast the machine is.
    expect(turns).toBeGreaterThan(3);
    expect((await ended).kind).toBe('timeout');
  });

  test('SEC-14: gives a plugin an empty environment and its own folder only', async () => {
    expect(await open.run(faulty, 'environment')).toMatchObject({ kind: 'done', summary: '{}' });
    expect(await open.run(faulty, 'reads-its-own')).toMatchObject({ kind: 'done' });
  });
});
