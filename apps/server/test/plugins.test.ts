import type { Scope } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const act = (action: unknown, more: object = {}) =>
  server.send('POST', '/api/v1/plugins', { action, slug: 'counter', ...more });
const list = async () => (await server.send('GET', '/api/v1/plugins')).body.plugins;
const capture = (text: string) => server.send('POST', '/api/v1/capture', { title: text, pageText: text });
const observedTitles = async () => (await act('run-job', { jobId: 'count' })).body.result.details;

test('PLG-5: logs a failed delivery of events, and still answers for the jobs', async () => {
  const logged: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => logged.push(String(chunk)) > 0);
  const deliver = async () => {
    throw new TypeError('the outbox is closed');
  };
  const failing = await startTestServer({ change: (core) => ({ ...core, events: { deliver } }) });
  expect((await failing.send('POST', '/api/v1/plugin-jobs/run-due', {})).status).toBe(200);
  await failing.close();
  write.mockRestore();
  expect(logged.join('')).toContain('failed: TypeError');
});

describe('plugins over HTTP', () => {
  test('PLG-3: lists, installs, disables, enables and uninstalls a shipped plugin', async () => {
    expect(await list()).toMatchObject([
      {
        slug: 'counter',
        state: 'available',
        source: 'shipped',
        jobs: [{ jobId: 'count' }, { jobId: 'fail' }, { jobId: 'hang' }],
      },
    ]);
    const installed = await act('install');
    expect([installed.status, installed.body.plugin.state]).toEqual([201, 'active']);
    expect(installed.body.plugin.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await act('install')).toMatchObject({ status: 409, body: { code: 'PLUGIN_INSTALLED' } });
    expect(await act('disable')).toMatchObject({ status: 200, body: { plugin: { state: 'disabled' } } });
    expect(await act('enable')).toMatchObject({ status: 200, body: { plugin: { state: 'active' } } });
    expect(await act('uninstall')).toMatchObject({ status: 200, body: { slug: 'counter' } });
    expect(await act('uninstall')).toMatchObject({ status: 409, body: { code: 'PLUGIN_NOT_INSTALLED' } });
    expect((await list())[0].state).toBe('available');
  });

  test('PLG-1: runs a job and returns its result, even if it failed', async () => {
    await act('install');
    const { status, body } = await act('run-job', { jobId: 'count' });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'count of counter finished: success.',
      jobId: 'count',
      result: {
        jobId: 'count',
        status: 'success',
        summary: 'count is 1',
        details: [],
        startedAt: expect.stringMatching(/Z$/),
        finishedAt: expect.stringMatching(/Z$/),
      },
    });
    expect(await act('run-job', { jobId: 'fail' })).toMatchObject({
      status: 200,
      body: { result: { status: 'failed', summary: 'It threw: as it should' } },
    });
    const runs = await server.send('GET', '/api/v1/plugins/counter/runs?jobId=fail');
    expect(runs.body.runs).toMatchObject([{ jobId: 'fail', status: 'failed', trigger: 'request' }]);
    expect((await server.send('GET', '/healthz')).status).toBe(200);
  });

  test('PLG-1: rejects a second run of a hanging job, and reports the first as timed out', async () => {
    await server.close();
    server = await startTestServer({ pluginMs: 1_500 });
    await act('install');
    const hanging = act('run-job', { jobId: 'hang' });
    await expect.poll(async () => (await act('run-job', { jobId: 'hang' })).body.code).toBe('JOB_RUNNING');
    expect((await hanging).body.result.status).toBe('timeout');
    expect((await server.send('GET', '/healthz')).status).toBe(200);
  });

  test('PLG-2, PLG-5: sets a schedule and runs the jobs that are due', async () => {
    await act('install');
    const before = Date.now();
    const { status, body } = await act('configure-job-schedule', { jobId: 'count', enabled: true });
    expect([status, body.jobId, body.schedule.intervalMinutes]).toEqual([200, 'count', 30]);
    const decidedAt = Date.parse(body.schedule.nextRunAt) - 30 * 60_000;
    expect(decidedAt).toBeGreaterThanOrEqual(before);
    expect(decidedAt).toBeLessThanOrEqual(Date.now());
    expect((await server.send('POST', '/api/v1/plugin-jobs/run-due')).body).toEqual({
      ok: true,
      processed: 0,
      results: [],
    });
    await server.storage.pluginJobs.saveSchedule(
      LOCAL_USER,
      {
        slug: 'counter',
        jobId: 'count',
        enabled: true,
        intervalMinutes: 30,
        nextRunAt: new Date(before - 1_000).toISOString(),
      },
      new Date().toISOString(),
    );
    const due = await server.send('POST', '/api/v1/plugin-jobs/run-due', { limit: 5 });
    expect(due).toMatchObject({
      status: 200,
      body: {
        ok: true,
        processed: 1,
        results: [{ jobId: 'count', pluginSlug: 'counter', status: 'success', summary: 'count is 1' }],
      },
    });
    expect(due.body.results[0].nextRunAt).toBe(new Date(before - 1_000 + 30 * 60_000).toISOString());
    const [plugin] = await list();
    expect(plugin.jobs[0]).toMatchObject({
      schedule: { enabled: true },
      lastRun: { trigger: 'schedule', status: 'success' },
    });
    const off = await act('configure-job-schedule', { jobId: 'count', enabled: false });
    expect(off.body.schedule).toMatchObject({ enabled: false, intervalMinutes: 30, nextRunAt: null });
  });

  test('PLG-3: validates a configuration, with a message per field', async () => {
    await act('install');
    expect((await act('configure', { config: { step: 5 } })).body.plugin.configuration).toEqual({ step: 5 });
    const wrong = await act('configure', { config: { step: 0, stepp: 1 } });
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        errors: [
          { pointer: '/config', message: 'has an unknown field; known fields: step' },
          { pointer: '/config/step', message: 'must be at least 1' },
        ],
      },
    });
    expect((await act('run-job', { jobId: 'count' })).body.result.summary).toBe('count is 5');
  });

  test('PLG-4: rejects bad input with its code, and changes nothing', async () => {
    expect(await act('run-job', { jobId: 'count' })).toMatchObject({
      status: 409,
      body: { code: 'PLUGIN_NOT_INSTALLED' },
    });
    await act('install');
    const before = await list();
    const cases: [object, number, string, string?][] = [
      [{ action: 'dance', slug: 'counter' }, 400, 'ACTION_UNKNOWN', '/action'],
      [{ slug: 'counter' }, 400, 'ACTION_UNKNOWN'],
      [{}, 400, 'ACTION_UNKNOWN'],
      [{ action: 7 }, 400, 'ACTION_UNKNOWN'],
      [{ action: 'constructor', slug: 'counter' }, 400, 'ACTION_UNKNOWN'],
      [{ action: 'run-job', slug: 'counter' }, 400, 'VALIDATION_FAILED', '/jobId'],
      [{ action: 'run-job', slug: 'unknown', jobId: 'count' }, 404, 'NOT_FOUND'],
      [{ action: 'run-job', slug: '../counter', jobId: 'count' }, 404, 'NOT_FOUND'],
      [{ action: 'run-job', slug: 'counter', jobId: 'unknown' }, 404, 'NOT_FOUND'],
      [{ action: 'run-job', slug: 'counter', jobId: 'toString' }, 404, 'NOT_FOUND'],
      [{ action: 'install', slug: 'unknown' }, 404, 'NOT_FOUND'],
      [{ action: 'install', slug: 'counter', sha256: 'x' }, 400, 'VALIDATION_FAILED', '/sha256'],
      [{ action: 'install', slug: 'counter', sha256: '0'.repeat(64) }, 400, 'PLUGIN_INVALID', '/sha256'],
      [{ action: 'install', slug: 'counter', allow: ['everything'] }, 400, 'VALIDATION_FAILED', '/allow/0'],
      [{ action: 'install', slug: 'counter', sha265: '0'.repeat(64) }, 400, 'VALIDATION_FAILED'],
      [{ action: 'configure', slug: 'counter' }, 400, 'VALIDATION_FAILED', '/config'],
      [{ action: 'configure', slug: 'counter', config: [] }, 400, 'VALIDATION_FAILED', '/config'],
      ...[0, -1, 1.5, 525_601, '60'].map((intervalMinutes): [object, number, string, string] => [
        { action: 'configure-job-schedule', slug: 'counter', jobId: 'count', enabled: true, intervalMinutes },
        400,
        'VALIDATION_FAILED',
        '/intervalMinutes',
      ]),
      [{ action: 'configure-job-schedule', slug: 'counter', jobId: 'count' }, 400, 'VALIDATION_FAILED', '/enabled'],
      [{ action: 'configure-job-schedule', slug: 'counter', jobId: 'none', enabled: true }, 404, 'NOT_FOUND'],
    ];
    for (const [body, status, code, pointer] of cases) {
      const answer = await server.send('POST', '/api/v1/plugins', body);
      const pointers = answer.body.errors?.map((error: { pointer: string }) => error.pointer) ?? [];
      expect([body, answer.status, answer.body.code]).toEqual([body, status, code]);
      if (pointer !== undefined) expect([body, pointers]).toEqual([body, expect.arrayContaining([pointer])]);
    }
    for (const limit of [0, 101, 1.5, 'x'])
      expect((await server.send('POST', '/api/v1/plugin-jobs/run-due', { limit })).status).toBe(400);
    expect((await server.send('GET', '/api/v1/plugins/unknown/runs')).status).toBe(404);
    expect((await server.send('GET', '/api/v1/plugins/counter/runs?jobId=unknown')).status).toBe(404);
    expect(await list()).toEqual(before);
    await act('disable');
    expect(await act('run-job', { jobId: 'count' })).toMatchObject({ status: 409, body: { code: 'PLUGIN_DISABLED' } });
    expect(await act('configure-job-schedule', { jobId: 'count', enabled: true })).toMatchObject({ status: 409 });
  });

  test('SEC-9, SEC-14: the scopes of a key decide whether it may run jobs, manage them or install plugins', async () => {
    const bearer = async (scope: Scope) => {
      const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: [scope] });
      return { authorization: `Bearer ${key}` };
    };
    const runs = await bearer('jobs:run');
    const manages = await bearer('jobs:manage');
    const owns = await bearer('admin');
    const send = async (body: object, headers: Record<string, string>) =>
      (await server.send('POST', '/api/v1/plugins', { slug: 'counter', ...body }, headers)).status;
    expect(await send({ action: 'install' }, runs)).toBe(403);
    expect(await send({ action: 'install' }, manages)).toBe(403);
    expect(await send({ action: 'install' }, owns)).toBe(201);
    const extension = { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' };
    expect(await send({ action: 'uninstall' }, { ...owns, ...extension })).toBe(403);
    expect(await send({ action: 'run-job', jobId: 'count' }, runs)).toBe(200);
    expect(await send({ action: 'run-job', jobId: 'count' }, manages)).toBe(200);
    const schedule = { action: 'configure-job-schedule', jobId: 'count', enabled: true };
    expect([await send(schedule, runs), await send(schedule, manages)]).toEqual([403, 200]);
    const configure = { action: 'configure', config: {} };
    expect([await send(configure, runs), await send(configure, manages)]).toEqual([403, 200]);
    const allow = { action: 'enable', allow: ['network'] };
    expect([await send({ action: 'enable' }, manages), await send(allow, manages), await send(allow, owns)]).toEqual([
      200, 403, 200,
    ]);
    expect((await server.send('POST', '/api/v1/plugin-jobs/run-due', {}, runs)).status).toBe(200);
    expect((await server.send('GET', '/api/v1/plugins', undefined, await bearer('memory:read'))).status).toBe(403);
  });
});

describe('hooks over HTTP', () => {
  beforeEach(async () => {
    await server.close();
    server = await startTestServer({ runners: true });
    await act('install');
  });

  test('PLG-6: counts the hooks that a capture triggers, and runs them soon after', async () => {
    expect((await capture('one')).body.hooksTriggered).toBe(1);
    expect((await capture('one')).body.hooksTriggered).toBe(0);
    const many = await server.send('POST', '/api/v1/capture', [{ pageText: 'two' }, { pageText: 'three' }]);
    expect(many.body.hooksTriggered).toBe(2);
    await expect.poll(observedTitles).toEqual(['one', 'two', 'three']);
    await act('disable');
    expect((await capture('four')).body.hooksTriggered).toBe(0);
  });

  test('PLG-6, REL-11: a hanging hook delays no capture and no query', async () => {
    await capture('hang');
    for (let at = 0; at < 30; at++) expect((await capture(`note ${at}`)).status).toBe(200);
    expect((await server.send('POST', '/api/v1/capture/query', { query: 'note' })).body.results.length).toBe(10);
    // It hangs still, and the later events wait behind it: nothing waited for its end.
    expect((await list())[0].events).toMatchObject({ waiting: 31, lastError: null });
    await server.close();
    server = await startTestServer({ runners: true, pluginMs: 1_500 });
    await act('install');
    await capture('hang');
    await expect.poll(async () => (await list())[0].events.lastError).toMatch(/did not finish within 1.5 seconds/);
  });

  test('PLG-6, PLG-7: a plugin gets the captures of other people only after they switched it on', async () => {
    const { id } = await server.core.people.create({ name: 'Ann' });
    const { answer } = await server.core.capture(id, [{ title: "Ann's", pageText: 'x' }]);
    expect(answer.hooksTriggered).toBe(0);
    const { key } = await server.core.apiKeys.create(id, { scopes: ['admin'] });
    const headers = { authorization: `Bearer ${key}` };
    const act = (action: string, as = headers) =>
      server.send('POST', '/api/v1/plugins', { action, slug: 'counter' }, as);
    const isOn = async () =>
      (await server.send('GET', '/api/v1/plugins', undefined, headers)).body.plugins.find(
        ({ slug }: { slug: string }) => slug === 'counter',
      ).isOn;
    expect([await isOn(), (await act('switch-on')).status, await isOn()]).toEqual([false, 200, true]);
    const capture = async () =>
      (await server.core.capture(id, [{ pageText: `${Math.random()}` }])).answer.hooksTriggered;
    expect(await capture()).toBe(1);
    expect([(await act('switch-off')).status, await isOn(), await capture()]).toEqual([200, false, 0]);
    expect((await server.send('POST', '/api/v1/plugins', { action: 'switch-off', slug: 'counter' })).status).toBe(400);
    await server.core.capture(LOCAL_USER, [{ title: 'mine', pageText: 'x' }]);
    await expect.poll(observedTitles).toEqual(['mine']);
  });

  test('PLG-6: notifies plugins of captures of another process', async () => {
    await server.core.capture(LOCAL_USER, [{ title: 'from the command line', pageText: 'x' }]);
    await expect.poll(observedTitles).toEqual(['from the command line']);
  });

  test('REL-10: a stopping server cancels running jobs and releases their leases', async () => {
    const { storage } = server;
    const running = act('run-job', { jobId: 'hang' });
    await expect.poll(async () => (await act('run-job', { jobId: 'hang' })).body.code).toBe('JOB_RUNNING');
    let lease = null;
    const close = storage.close;
    storage.close = async () => {
      lease = await storage.pluginJobs.claim(LOCAL_USER, 'counter', 'hang', { leaseMs: 1_000 });
      await close();
    };
    await server.close();
    expect(lease).not.toBeNull();
    await running.catch(() => {});
    server = await startTestServer();
  });
});
