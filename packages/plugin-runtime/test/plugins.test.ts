import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Core, createCore, LOCAL_USER, RecollectError } from '@recollect/core';
import { createFakeClock, createFakeModel, type FakeClock } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fixture, openTestHost, type TestHost } from './open-test-host.js';

const MINUTE = 60_000;
let storage: Storage;
let open: TestHost;
let clock: FakeClock;
let core: Core;

beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  open = await openTestHost();
  clock = createFakeClock(new Date().toISOString());
  core = createCore({ ...storage, embeddingModel: createFakeModel(), pluginHost: open.host, clock });
});
afterEach(async () => {
  await open.close();
  await storage.close();
});

const install = (name: string) => core.plugins.install(LOCAL_USER, { folder: fixture(name) });
const capture = async (text: string) => (await core.capture(LOCAL_USER, [{ title: text, pageText: text }])).answer;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => (error instanceof RecollectError ? error.code : String(error)),
  );
const told = async () => (await core.jobs.run(LOCAL_USER, 'diary', 'told')).details;

describe('jobs', () => {
  test('PLG-1: runs a job and returns its result', async () => {
    await install('diary');
    const result = await core.jobs.run(LOCAL_USER, 'diary', 'count');
    expect(result).toMatchObject({
      jobId: 'count',
      status: 'warning',
      summary: 'run 1 of size 3',
      details: ['first', 'log: warning: counted'],
    });
    expect(await core.jobs.run(LOCAL_USER, 'diary', 'fail')).toMatchObject({
      status: 'failed',
      summary: 'It threw: no',
    });
    const { runs } = await core.plugins.runs(LOCAL_USER, 'diary');
    expect(runs.map(({ jobId, status, trigger }) => [jobId, status, trigger])).toEqual([
      ['fail', 'failed', 'request'],
      ['count', 'warning', 'request'],
    ]);
    expect((await core.plugins.runs(LOCAL_USER, 'diary', 'count')).runs.length).toBe(1);
  });

  test('PLG-1: limits the length of summary and details', async () => {
    await install('faulty');
    const { summary, details } = await core.jobs.run(LOCAL_USER, 'faulty', 'says-much');
    expect(summary.length).toBeLessThanOrEqual(500);
    expect(summary).not.toContain('\u001b');
    expect(details.length).toBe(201);
    expect(details.at(-1)).toBe('4800 more are not kept.');
  });

  test('PLG-4: does not run the same job twice at once', async () => {
    await install('diary');
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => codeOf(core.jobs.run(LOCAL_USER, 'diary', 'save'))),
    );
    expect(outcomes.sort()).toEqual(['JOB_RUNNING', 'JOB_RUNNING', 'no error']);
  });

  test("PLG-2: uses the given interval, else the stored one, else the job's default", async () => {
    await install('diary');
    const schedule = (setting: { enabled: boolean; intervalMinutes?: number }) =>
      core.jobs.schedule(LOCAL_USER, 'diary', 'count', setting);
    const at = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE).toISOString();
    expect(await schedule({ enabled: true })).toEqual({
      jobId: 'count',
      pluginSlug: 'diary',
      enabled: true,
      intervalMinutes: 60,
      nextRunAt: at(60),
    });
    expect(await schedule({ enabled: true, intervalMinutes: 5 })).toMatchObject({
      intervalMinutes: 5,
      nextRunAt: at(5),
    });
    expect(await schedule({ enabled: false })).toMatchObject({ enabled: false, intervalMinutes: 5, nextRunAt: null });
    clock.advance(10 * MINUTE);
    expect((await core.jobs.runDue()).processed).toBe(0);
    expect(await schedule({ enabled: true })).toMatchObject({ intervalMinutes: 5, nextRunAt: at(5) });
    expect(await core.jobs.schedule(LOCAL_USER, 'diary', 'fail', { enabled: true })).toMatchObject({
      intervalMinutes: 1_440,
    });
  });

  test('PLG-5, REL-12: runs a job missed many times once, keeps its slots, and moves on even after a failure', async () => {
    await install('diary');
    await core.jobs.schedule(LOCAL_USER, 'diary', 'count', { enabled: true, intervalMinutes: 10 });
    await core.jobs.schedule(LOCAL_USER, 'diary', 'fail', { enabled: true, intervalMinutes: 10 });
    const start = clock.now().getTime();
    expect(await core.jobs.runDue()).toEqual({ ok: true, processed: 0, results: [] });
    clock.advance(95 * MINUTE);
    const next = new Date(start + 100 * MINUTE).toISOString();
    const { processed, results } = await core.jobs.runDue();
    expect(processed).toBe(2);
    expect(results).toMatchObject([
      { jobId: 'count', pluginSlug: 'diary', status: 'warning', nextRunAt: next },
      { jobId: 'fail', pluginSlug: 'diary', status: 'failed', nextRunAt: next },
    ]);
    expect((await core.jobs.runDue()).processed).toBe(0);
    clock.advance(-365 * 24 * 60 * MINUTE);
    const early = await core.jobs.runDue();
    expect(early.processed).toBe(2);
    const gap = Date.parse(early.results[0]?.nextRunAt ?? '') - clock.now().getTime();
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThanOrEqual(10 * MINUTE);
    expect((await core.jobs.runDue()).processed).toBe(0);
  });

  test('PLG-5: runs at most the requested number of jobs, and only jobs of the given user', async () => {
    await install('diary');
    for (const jobId of ['count', 'told']) await core.jobs.schedule(LOCAL_USER, 'diary', jobId, { enabled: true });
    await core.jobs.schedule('ann', 'diary', 'count', { enabled: true });
    clock.advance(2 * 24 * 60 * MINUTE);
    expect((await core.jobs.runDue({ userId: 'bob' })).processed).toBe(0);
    expect((await core.jobs.runDue({ userId: LOCAL_USER, limit: 1 })).processed).toBe(1);
    expect((await core.jobs.runDue()).processed).toBe(2);
    expect((await core.plugins.runs('ann', 'diary')).runs.map(({ summary }) => summary)).toEqual(['run 1 of size 3']);
  });

  test('REL-10: does not record a cancelled job and keeps it due', async () => {
    await install('faulty');
    await core.jobs.schedule(LOCAL_USER, 'faulty', 'never-answers', { enabled: true });
    clock.advance(1_441 * MINUTE);
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 300);
    expect((await core.jobs.runDue({ signal: stopping.signal })).processed).toBe(0);
    expect((await core.plugins.runs(LOCAL_USER, 'faulty')).runs).toEqual([]);
    const due = await storage.pluginJobs.due(clock.now().toISOString(), { limit: 10, userId: null });
    expect(due.map(({ jobId }) => jobId)).toEqual(['never-answers']);
  });
});

describe('the context of a plugin', () => {
  test('each function works as documented', async () => {
    await install('diary');
    await core.capture(LOCAL_USER, [
      { title: 'Tea', pageText: 'Green tea and water', tags: ['drinks'] },
      { title: 'More tea', pageText: 'Black tea and water', tags: ['drinks', 'hot'] },
      { title: 'Bees', pageText: 'Bees dance' },
    ]);
    clock.advance(MINUTE);
    const { status, details } = await core.jobs.run(LOCAL_USER, 'diary', 'tour');
    expect([status, ...details]).toEqual([
      'success',
      'list [1,2,null]',
      'search 2',
      'neighbours 2',
      'frequencies [2,0,0]',
      'tags [{"tag":"drinks","count":2},{"tag":"hot","count":1}]',
      'addTags [true,false]',
      'annotate true',
      'get [["new"],{"seen":true},{"plugins":{"diary":{"seen":true}}},null]',
      'removeTags true',
      'annotate away true',
      'get again [[],null,{}]',
      'save "created"',
      'save again "duplicate"',
      'state [{"a":[1]},["key"],null]',
      'state after null',
    ]);
    const { memories } = await core.memories.list(LOCAL_USER);
    expect(memories[0]).toMatchObject({ sourceApp: 'diary', sourceType: 'note', title: 'A note of the tour' });
  });

  test('rejects invalid arguments with a message and changes nothing', async () => {
    await install('diary');
    const tags = Array.from({ length: 100 }, (_, at) => `tag ${at}`);
    await core.capture(LOCAL_USER, [{ pageText: 'full of tags', tags }]);
    const before = await core.memories.list(LOCAL_USER);
    const { details } = await core.jobs.run(LOCAL_USER, 'diary', 'wrong');
    expect(details).toEqual([
      'limit: memory.list: limit must be an integer from 1 to 100.',
      'id: memory.get: id must be a string of at most 100 characters.',
      'tags: memory.addTags: tags must be an array of at most 100 strings of at most 100 characters.',
      expect.stringMatching(/^many: memory\.addTags: tags would make 101 tags of this memory, which may have 100/),
      expect.stringMatching(/^cursor: memory\.list: /),
      expect.stringMatching(/^date: memory\.list: until must be a date that exists/),
      expect.stringMatching(/^site: memory\.list: site must be a host/),
      expect.stringMatching(/^since: memory\.list: since must be a date that exists/),
      'source: memory.list: sourceType must be one of: url, note, file, chatgpt, claude, openclaw.',
      expect.stringMatching(/^empty: memory\.save: There is nothing to save/),
      'url: memory.save: url must be an absolute http or https URL.',
      'note: memory.annotate: value must be at most 16384 bytes as JSON.',
      'key: state.set: key must be a string of at most 200 characters.',
      expect.stringMatching(/^query: memory\.search: The query is empty/),
    ]);
    expect(await core.memories.list(LOCAL_USER)).toEqual(before);
  });

  test('SEC-14: rejects calls outside of the declared scopes', async () => {
    const plugin = await install('diary');
    const installation = await storage.installations.find(plugin.slug);
    if (installation === null) throw new Error('It is not installed.');
    const manifest = { ...installation.manifest, scopes: ['list' as const] };
    await storage.installations.update('diary', { manifest }, '2026-01-31T12:00:00.000Z');
    await capture('tea');
    const { status, summary } = await core.jobs.run(LOCAL_USER, 'diary', 'tour');
    expect([status, summary]).toEqual([
      'failed',
      'It threw: memory.search: The plugin does not declare the scope search. Add it to scopes.',
    ]);
  });
});

describe('events', () => {
  test('PLG-6: delivers each new memory once, in order, after the commit', async () => {
    await install('diary');
    const first = await capture('one');
    expect(first.hooksTriggered).toBe(1);
    expect((await capture('one')).hooksTriggered).toBe(0);
    const { answer } = await core.capture(LOCAL_USER, [{ pageText: 'two' }, { pageText: 'three' }]);
    expect(answer.hooksTriggered).toBe(2);
    expect(await core.events.deliver()).toBe(3);
    expect(await core.events.deliver()).toBe(0);
    expect((await told()).map((line) => line.split(' ').slice(1).join(' '))).toEqual(['one 3', 'two 3', 'three 5']);
  });

  test('PLG-6: does not deliver a memory that was deleted before delivery', async () => {
    await install('diary');
    const { captures } = await capture('secret');
    await core.memories.remove(LOCAL_USER, captures[0]?.id ?? '');
    await core.events.deliver();
    expect(await told()).toEqual([]);
  });

  test('PLG-6, REL-10: retries a failed event, parks it after eight attempts, and continues with the next', async () => {
    await install('diary');
    await core.plugins.configure(LOCAL_USER, 'diary', { fails: true });
    await capture('one');
    await capture('two');
    const waits = [15, 30, 60, 120, 240, 480, 960].map((seconds) => seconds * 1_000);
    for (const wait of waits) {
      expect(await core.events.deliver()).toBe(1);
      clock.advance(wait * 0.75);
      expect(await core.events.deliver()).toBe(0);
      clock.advance(wait * 0.25);
    }
    expect(await core.events.deliver()).toBe(2);
    const [{ events } = { events: null }] = (await core.plugins.list(LOCAL_USER)).plugins;
    expect(events).toMatchObject({ told: 0, waiting: 1, parked: 1, lastError: 'It threw: as configured' });
    const { runs } = await core.plugins.runs(LOCAL_USER, 'diary', 'onCapture');
    expect(runs.length).toBe(9);
    expect(runs[0]).toMatchObject({ jobId: 'onCapture', trigger: 'event', status: 'failed' });

    await core.plugins.configure(LOCAL_USER, 'diary', {});
    await core.plugins.enable(LOCAL_USER, 'diary');
    expect(await core.events.deliver()).toBe(2);
    expect((await told()).map((line) => line.split(' ')[1])).toEqual(['one', 'two']);
  });

  test('PLG-6: a hook that throws or exits changes neither the response nor the memory', async () => {
    await install('faulty');
    for (const text of ['throws', 'exits', 'throws-later']) {
      const answer = await capture(text);
      expect([answer.captures[0]?.status, answer.hooksTriggered]).toEqual(['created', 1]);
    }
    await core.events.deliver();
    expect((await core.memories.list(LOCAL_USER)).memories.length).toBe(3);
    const [{ events } = { events: null }] = (await core.plugins.list(LOCAL_USER)).plugins;
    expect(events).toMatchObject({ waiting: 3, lastError: 'It threw: boom' });
  });

  test('PLG-6: stops delivering to a plugin that is disabled during delivery', async () => {
    await install('diary');
    await core.capture(
      LOCAL_USER,
      Array.from({ length: 30 }, (_, at) => ({ pageText: `note ${at}` })),
    );
    let asked = 0;
    const shouldContinue = () => {
      asked += 1;
      if (asked === 3) void core.plugins.disable(LOCAL_USER, 'diary');
      return true;
    };
    expect(await core.events.deliver({ shouldContinue })).toBeLessThan(10);
    await core.plugins.enable(LOCAL_USER, 'diary');
    await core.events.deliver();
    expect((await told()).length).toBe(30);
    const [plugin] = (await core.plugins.list(LOCAL_USER)).plugins;
    expect(plugin?.events).toEqual({ told: 30, waiting: 0, parked: 0, nextAt: null, lastError: null });
  });

  test('PLG-6: concurrent runners deliver no event twice', async () => {
    await install('diary');
    await core.capture(
      LOCAL_USER,
      Array.from({ length: 20 }, (_, at) => ({ pageText: `note ${at}` })),
    );
    const counts = await Promise.all([core.events.deliver(), core.events.deliver(), core.events.deliver()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect((await told()).length).toBe(20);
  });
});

describe('installing', () => {
  test('PLG-3, PLG-4: installs, disables, enables and uninstalls a plugin', async () => {
    const plugin = await install('diary');
    expect(plugin).toMatchObject({
      slug: 'diary',
      state: 'active',
      source: 'folder',
      configuration: { fails: false, size: 3 },
    });
    expect(await codeOf(install('diary'))).toBe('PLUGIN_INSTALLED');
    await core.jobs.schedule(LOCAL_USER, 'diary', 'count', { enabled: true });
    expect((await core.plugins.disable(LOCAL_USER, 'diary')).state).toBe('disabled');
    expect(await codeOf(core.jobs.run(LOCAL_USER, 'diary', 'count'))).toBe('PLUGIN_DISABLED');
    expect(await codeOf(core.jobs.schedule(LOCAL_USER, 'diary', 'count', { enabled: true }))).toBe('PLUGIN_DISABLED');
    expect((await capture('told to nobody')).hooksTriggered).toBe(0);
    clock.advance(61 * MINUTE);
    expect((await core.jobs.runDue()).processed).toBe(0);
    expect((await core.plugins.enable(LOCAL_USER, 'diary')).jobs[0]?.schedule?.enabled).toBe(true);
    expect((await core.jobs.runDue()).processed).toBe(1);
    await core.plugins.uninstall('diary');
    expect(await codeOf(core.jobs.run(LOCAL_USER, 'diary', 'count'))).toBe('NOT_FOUND');
    expect(await codeOf(core.plugins.uninstall('diary'))).toBe('NOT_FOUND');
    expect((await core.plugins.list(LOCAL_USER)).plugins).toEqual([]);
    expect((await install('diary')).jobs[0]).toMatchObject({ schedule: null, lastRun: null });
  });

  test('PLG-4: rejects unknown plugins and jobs', async () => {
    await install('diary');
    expect(await codeOf(core.jobs.run(LOCAL_USER, 'unknown', 'count'))).toBe('NOT_FOUND');
    expect(await codeOf(core.jobs.run(LOCAL_USER, 'diary', 'unknown'))).toBe('NOT_FOUND');
    expect(await codeOf(core.jobs.schedule(LOCAL_USER, 'diary', 'unknown', { enabled: true }))).toBe('NOT_FOUND');
    expect(await codeOf(core.plugins.runs(LOCAL_USER, 'diary', 'unknown'))).toBe('NOT_FOUND');
    expect(await codeOf(core.plugins.install(LOCAL_USER, { slug: 'unknown' }))).toBe('NOT_FOUND');
  });

  test('PLG-3: rejects an invalid configuration with an error per field and changes nothing', async () => {
    await install('diary');
    expect((await core.plugins.configure(LOCAL_USER, 'diary', { size: 9 })).configuration).toEqual({
      fails: false,
      size: 9,
    });
    const refusal = await core.plugins
      .configure(LOCAL_USER, 'diary', { size: 'big', fails: 3 })
      .catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'The configuration was not changed: fails must be of type boolean; size must be of type integer.',
      errors: [{ pointer: '/config/fails' }, { pointer: '/config/size' }],
    });
    expect((await core.jobs.run(LOCAL_USER, 'diary', 'count')).summary).toBe('run 1 of size 9');
  });

  test('PLG-3: replaces the files and keeps configuration and state', async () => {
    const copy = await open.copyOf('diary');
    const { sha256 } = await core.plugins.install(LOCAL_USER, { folder: copy });
    await core.plugins.configure(LOCAL_USER, 'diary', { size: 7 });
    await core.jobs.run(LOCAL_USER, 'diary', 'count');
    await appendFile(join(copy, 'index.js'), '// changed\n');
    expect(await codeOf(core.plugins.install(LOCAL_USER, { folder: copy }))).toBe('PLUGIN_INSTALLED');
    const replaced = await core.plugins.install(LOCAL_USER, { folder: copy }, { replaces: true });
    expect(replaced.sha256).not.toBe(sha256);
    expect((await core.jobs.run(LOCAL_USER, 'diary', 'count')).summary).toBe('run 2 of size 7');
    // A later version with another default and without a setting.
    await core.plugins.configure(LOCAL_USER, 'diary', { size: 3, fails: true });
    const source = await readFile(join(copy, 'index.js'), 'utf8');
    const later = source.replace('default: 3', 'default: 4').replace(/fails: Type\.Boolean\([^)]*\),?/, '');
    expect(later).not.toBe(source);
    await writeFile(join(copy, 'index.js'), later);
    const { configuration } = await core.plugins.install(LOCAL_USER, { folder: copy }, { replaces: true });
    expect(configuration).toEqual({ size: 4 });
    expect((await core.jobs.run(LOCAL_USER, 'diary', 'count')).summary).toBe('run 3 of size 4');
    expect((await readdir(join(open.folder, 'plugins'))).length).toBe(1);
  });

  test('PLG-5: disables the schedule of a job that the new files no longer contain', async () => {
    const copy = await open.copyOf('diary');
    await core.plugins.install(LOCAL_USER, { folder: copy });
    await core.jobs.schedule(LOCAL_USER, 'diary', 'count', { enabled: true });
    const entry = join(copy, 'index.js');
    await writeFile(entry, (await readFile(entry, 'utf8')).replace('    count: {', '    renamed: {'));
    await core.plugins.install(LOCAL_USER, { folder: copy }, { replaces: true });
    clock.advance(61 * MINUTE);
    expect((await core.jobs.runDue()).processed).toBe(0);
    expect(await storage.pluginJobs.listSchedules(LOCAL_USER)).toMatchObject([{ jobId: 'count', enabled: false }]);
  });

  test('PLG-4: one of two concurrent installations succeeds and keeps its files', async () => {
    const outcomes = await Promise.all([codeOf(install('diary')), codeOf(install('diary'))]);
    expect(outcomes.sort()).toEqual(['PLUGIN_INSTALLED', 'no error']);
    expect((await core.jobs.run(LOCAL_USER, 'diary', 'count')).status).toBe('warning');
  });

  test('REL-11: suspends a plugin that fails to start five times in a row until it is installed again', async () => {
    await install('diary');
    await capture('waits');
    const [kept = ''] = await readdir(join(open.folder, 'plugins'));
    const entry = join(open.folder, 'plugins', kept, 'index.js');
    await appendFile(entry, '\n');
    for (let at = 0; at < 5; at++) {
      const { status, summary } = await core.jobs.run(LOCAL_USER, 'diary', 'count');
      expect([status, summary]).toEqual([
        'failed',
        expect.stringMatching(/^It did not start\. Its files have changed/),
      ]);
    }
    expect(await codeOf(core.jobs.run(LOCAL_USER, 'diary', 'count'))).toBe('PLUGIN_SUSPENDED');
    expect(await core.events.deliver()).toBe(0);
    const [plugin] = (await core.plugins.list(LOCAL_USER)).plugins;
    expect(plugin).toMatchObject({
      state: 'suspended',
      events: { waiting: 1, parked: 0 },
      suspension: {
        resumeWith: 'enable',
        reason: expect.stringMatching(/^It failed to start 5 times/),
      },
    });
    await core.plugins.uninstall('diary');
    await install('diary');
    expect((await core.jobs.run(LOCAL_USER, 'diary', 'count')).status).toBe('warning');
  });
});
