import type { Schedule } from '#core/plugin.js';
import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { claim, installationOf, isLost, LATER, NOW, runOf, scheduleOf } from './plugin-samples.js';
import { CHANGE, createNewMemory } from './samples.js';

/** Registers the cases for installations, leases, plugin jobs and plugin state. */
export function checkPlugins(check: Check): void {
  check('REL-10: a lease has one holder, can be claimed after it expires, and its fence grows', async (storage) => {
    const { leases } = storage;
    const claims = await Promise.all(Array.from({ length: 10 }, () => leases.claim('ann', 'work', 60_000)));
    const [held, ...others] = claims.filter((lease) => lease !== null);
    equal(others.length, 0, 'other holders');
    ok(held !== undefined && (await leases.claim('bob', 'work', 60_000)) !== null, 'another user has a separate lease');
    if (held === undefined) return;
    equal(await leases.renew(held, 0), true, 'renewal');
    equal(await leases.renew(held, 60_000), false, 'renewal after it expired');
    const next = await claim(storage, 'work');
    equal(next.fence, held.fence + 1, 'fence');
    await leases.release(held);
    equal(await leases.claim('ann', 'work', 60_000), null, 'claim after a release by the former holder');
    await leases.release(next);
    equal((await claim(storage, 'work')).fence, next.fence + 1, 'fence after a release');
  });

  check('REL-10: writes nothing under a lost lease', async (storage) => {
    const { leases, memories, pluginState, eventOutbox } = storage;
    await storage.installations.insert(installationOf('p'), NOW);
    const lost = await claim(storage, 'work');
    await leases.renew(lost, 0);
    const draft = createNewMemory({ title: 'lost' });
    const plan = { now: new Date(), indexing: () => null, triggersHooks: false };
    ok(await isLost(memories.insert('ann', [draft], { ...plan, lease: lost })), 'a memory');
    ok(await isLost(pluginState.set(lost, 'p', 'k', 1, 10)), 'state');
    ok(await isLost(pluginState.remove(lost, 'p', 'k')), 'removing state');
    ok(await isLost(eventOutbox.settle(lost, { position: 1, id: 'x', memoryId: 'x', time: NOW })), 'settling an event');
    const [kept] = await storage.insert('ann', createNewMemory({ title: 'kept' }));
    const id = kept?.id ?? '';
    ok(await isLost(memories.update('ann', id, { tags: ['x'] }, { ...CHANGE, lease: lost })), 'tags');
    const held = await claim(storage, 'work');
    equal(
      await memories.update('ann', id, { tags: ['x'] }, { ...CHANGE, lease: held }),
      { fields: ['tags'], indexingJobId: null },
      'under the next lease',
    );
    equal((await memories.find('ann', id))?.tags, ['x'], 'tags');
    equal(await storage.memories.find('ann', draft.memory.id), null, 'the lost memory');
  });

  check('PLG-4: returns an installation as stored, for all users', async ({ installations }) => {
    const first = installationOf('p');
    equal(await installations.insert(first, NOW), true, 'insert');
    equal(await installations.insert(installationOf('p', { sha256: 'b'.repeat(64) }), NOW), false, 'again');
    await installations.insert(installationOf('b', { isEnabled: false, source: 'shipped' }), NOW);
    equal(await installations.find('p'), first, 'found');
    equal(
      (await installations.list()).map(({ manifest }) => manifest.slug),
      ['b', 'p'],
      'by slug',
    );
    const suspended = { since: NOW, reason: 'why' };
    equal(await installations.update('p', { suspended, allowed: ['network'] }, LATER), true, 'update');
    equal(await installations.find('p'), { ...first, allowed: ['network'], suspended }, 'updated');
    equal(await installations.countFailedStart('p'), 1, 'failed start');
    equal(await installations.countFailedStart('p'), 2, 'another');
    equal(await installations.update('unknown', { isEnabled: true }, NOW), false, 'unknown');
    equal(await installations.find('unknown'), null, 'find of an unknown plugin');
  });

  check('PLG-5: returns enabled, due schedules of active plugins, oldest first', async (storage) => {
    const { pluginJobs, installations } = storage;
    await installations.insert(installationOf('p'), NOW);
    await installations.insert(installationOf('off', { isEnabled: false }), NOW);
    await installations.insert(installationOf('sick', { suspended: { since: NOW, reason: 'why' } }), NOW);
    const save = (schedule: Schedule, userId = 'ann') => pluginJobs.saveSchedule(userId, schedule, NOW);
    await save(scheduleOf({ jobId: 'b' }));
    await save(scheduleOf({ jobId: 'a', nextRunAt: '2026-01-30T12:00:00.000Z' }));
    await save(scheduleOf({ jobId: 'later', nextRunAt: LATER }));
    await save(scheduleOf({ jobId: 'disabled', enabled: false, nextRunAt: null }));
    await save(scheduleOf({ slug: 'off' }));
    await save(scheduleOf({ slug: 'sick' }));
    await save(scheduleOf({ jobId: 'hers' }), 'bob');
    const due = async (userId: string | null, limit = 10) =>
      (await pluginJobs.due(NOW, { limit, userId })).map((job) => `${job.userId} ${job.jobId}`);
    equal(await due('ann'), ['ann a', 'ann b'], 'due schedules of ann');
    equal(await due(null), ['ann a', 'ann b', 'bob hers'], 'due schedules of all users');
    equal(await due(null, 1), ['ann a'], 'due schedules with a limit');
    const lease = await pluginJobs.claim('ann', 'p', 'a', { leaseMs: 60_000, dueAt: '2026-01-30T12:00:00.000Z' });
    ok(lease !== null, 'claim');
    equal(await pluginJobs.claim('ann', 'p', 'a', { leaseMs: 60_000 }), null, 'claim of a running job');
    equal(await due('ann'), ['ann b'], 'while one runs');
    equal(await pluginJobs.claim('ann', 'p', 'b', { leaseMs: 60_000, dueAt: LATER }), null, 'a claim for another time');
    await save(scheduleOf({ jobId: 'b', nextRunAt: LATER }));
    equal(await due('ann'), [], 'after it was rescheduled');
  });

  check('REL-12: a schedule that was saved in the future is due', async ({ pluginJobs, installations }) => {
    await installations.insert(installationOf('p'), NOW);
    const nextYear = '2027-01-31T12:00:00.000Z';
    await pluginJobs.saveSchedule('ann', scheduleOf({ nextRunAt: '2027-01-31T13:00:00.000Z' }), nextYear);
    const due = async (now: string) => (await pluginJobs.due(now, { limit: 10, userId: 'ann' })).length;
    equal([await due(NOW), await due(nextYear), await due('2027-01-31T11:59:30.000Z')], [1, 0, 0], 'due');
    const lease = await pluginJobs.claim('ann', 'p', 'tick', { leaseMs: 60_000 });
    if (lease === null) throw new Error('The lease is taken.');
    const advance = () => '2027-01-31T13:00:00.000Z';
    await pluginJobs.finish(lease, runOf('1'), { now: NOW, keep: 1, advance });
    equal(await due(NOW), 0, 'due after it ran and kept the same time');
  });

  check('PLG-5: records a run and the next time together, and keeps a limited number of runs', async (storage) => {
    const { pluginJobs, installations } = storage;
    await installations.insert(installationOf('p'), NOW);
    await pluginJobs.saveSchedule('ann', scheduleOf(), NOW);
    const options = { now: NOW, keep: 3, advance: () => LATER };
    for (const id of ['1', '2', '3', '4']) {
      const lease = await pluginJobs.claim('ann', 'p', 'tick', { leaseMs: 60_000 });
      if (lease === null) throw new Error('The lease is taken.');
      const schedule = await pluginJobs.finish(lease, runOf(id), options);
      equal(schedule, scheduleOf({ nextRunAt: LATER }), 'schedule');
      equal(await pluginJobs.finish(lease, runOf('again'), options), false, 'a second finish under the same lease');
    }
    await pluginJobs.record('ann', runOf('hook', { jobId: 'onCapture', status: 'timeout' }), 3);
    const ids = async (jobId: string | null) =>
      (await pluginJobs.runs('ann', 'p', { jobId, limit: 10 })).map(({ id }) => id);
    equal(await ids(null), ['hook', '4', '3', '2'], 'runs, newest first');
    equal(await ids('tick'), ['4', '3', '2'], 'runs of one job');
    equal((await pluginJobs.runs('ann', 'p', { jobId: 'tick', limit: 1 }))[0], runOf('4'), 'the stored run');
    equal((await pluginJobs.lastRuns('ann')).map(({ id }) => id).sort(), ['4', 'hook'], 'last run of each job');
    equal(await pluginJobs.runs('bob', 'p', { jobId: null, limit: 10 }), [], 'of another user');
  });

  check('PLG-3: keeps state per plugin and user, and deletes it with the plugin', async (storage) => {
    const { pluginState, installations, pluginJobs, eventOutbox } = storage;
    for (const slug of ['p', 'q']) await installations.insert(installationOf(slug), NOW);
    for (const slug of ['p', 'q']) await eventOutbox.setUse('ann', slug, true, NOW);
    const lease = await pluginJobs.claim('ann', 'p', 'tick', { leaseMs: 60_000 });
    if (lease === null) throw new Error('The lease is taken.');
    equal(await pluginState.get('ann', 'p', 'k'), null, 'at first');
    equal(await pluginState.set(lease, 'p', 'k', { deep: ['√', null] }, 2), true, 'set');
    equal(await pluginState.set(lease, 'p', 'j', 1, 2), true, 'set another');
    equal(await pluginState.set(lease, 'p', 'one too many', 1, 2), false, 'set too many');
    equal(await pluginState.set(lease, 'p', 'k', false, 2), true, 'set again');
    equal(await pluginState.get('ann', 'p', 'k'), false, 'get');
    equal(await pluginState.get('ann', 'q', 'k'), null, 'of another plugin');
    equal(await pluginState.get('bob', 'p', 'k'), null, 'of another user');
    equal(await pluginState.keys('ann', 'p', ''), ['j', 'k'], 'keys');
    equal(await pluginState.keys('ann', 'p', 'k'), ['k'], 'keys with a prefix');
    await pluginState.remove(lease, 'p', 'j');
    equal(await pluginState.keys('ann', 'p', ''), ['k'], 'keys after one was removed');

    await pluginJobs.saveSchedule('ann', scheduleOf(), NOW);
    await pluginJobs.record('ann', runOf('1'), 10);
    await storage.insert('ann', createNewMemory({}));
    equal(await installations.remove('p'), true, 'remove');
    equal(await installations.remove('p'), false, 'remove again');
    ok(await isLost(pluginState.set(lease, 'p', 'k', 1, 2)), 'work in progress has lost its lease');
    await installations.insert(installationOf('p'), NOW);
    equal(await pluginState.keys('ann', 'p', ''), [], 'state');
    equal(await pluginJobs.listSchedules('ann'), [], 'schedules');
    equal(await pluginJobs.runs('ann', 'p', { jobId: null, limit: 10 }), [], 'runs');
    equal(
      (await eventOutbox.counts('ann')).map(({ slug, waiting }) => `${slug} ${waiting}`),
      ['p 0', 'q 1'],
      'events',
    );
    const next = await pluginJobs.claim('ann', 'p', 'tick', { leaseMs: 1 });
    ok((next?.fence ?? 0) > lease.fence, 'a fence that keeps growing');
  });

  check('plugins: counts the tags of a user, and passes the current memory to a change function', async (storage) => {
    const { memories, insert } = storage;
    const [one] = await insert('ann', createNewMemory({ tags: ['b', 'a'] }), createNewMemory({ tags: ['a'] }));
    await insert('bob', createNewMemory({ tags: ['c'] }));
    const tags = async (limit: number) =>
      (await memories.tags('ann', limit)).map(({ tag, count }) => `${tag} ${count}`);
    equal([await tags(10), await tags(1)], [['a 2', 'b 1'], ['a 2']], 'tags');
    const id = one?.id ?? '';
    const changed = await memories.update('ann', id, ({ tags: present }) => ({ tags: [...present, 'd'] }), {
      ...CHANGE,
      now: LATER,
    });
    equal(changed, { fields: ['tags'], indexingJobId: null }, 'changed');
    await memories.update('ann', id, ({ metadata }) => ({ metadata: { ...metadata, plugins: { p: 1 } } }), {
      ...CHANGE,
      now: LATER,
    });
    const found = await memories.find('ann', id);
    equal([found?.tags, found?.metadata, found?.updatedAt], [['b', 'a', 'd'], { plugins: { p: 1 } }, LATER], 'memory');
    await memories.update('ann', id, ({ contentHash }) => ({ note: contentHash }), { ...CHANGE, now: LATER });
    equal(
      (await memories.find('ann', id))?.note,
      (await memories.find('ann', id))?.contentHash,
      'the hash of its text',
    );
    await memories.update('ann', id, () => ({}), CHANGE);
    equal((await memories.find('ann', id))?.updatedAt, LATER, 'an empty change');
  });
}
