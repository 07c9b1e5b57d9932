import { equal } from './assert.js';
import type { Check } from './harness.js';
import { installationOf, NOW } from './plugin-samples.js';
import { createNewMemory } from './samples.js';

/** Registers the cases for the event outbox. */
export function checkEvents(check: Check): void {
  check('PLG-6: a new memory creates an event for each active observer, in the same transaction', async (storage) => {
    const { eventOutbox, installations, memories } = storage;
    for (const slug of ['b', 'a']) await installations.insert(installationOf(slug), NOW);
    await installations.insert(installationOf('off', { isEnabled: false }), NOW);
    const deaf = installationOf('deaf');
    await installations.insert({ ...deaf, manifest: { ...deaf.manifest, observesCaptures: false } }, NOW);
    const plan = { now: new Date(), indexing: () => null, triggersHooks: true };
    const drafts = [createNewMemory({ title: 'one' }), createNewMemory({ title: 'two' })];
    const inserted = await memories.insert('local', drafts, plan);
    equal('hooksTriggered' in inserted && inserted.hooksTriggered, 4, 'events of two memories');
    const again = await memories.insert('local', drafts, plan);
    equal('hooksTriggered' in again && again.hooksTriggered, 0, 'events of duplicates');
    const quiet = await memories.insert('local', [createNewMemory({})], { ...plan, triggersHooks: false });
    equal('hooksTriggered' in quiet && quiet.hooksTriggered, 0, 'events when hooks are off');
    const broken = () => {
      throw new Error('no');
    };
    await memories.insert('local', [createNewMemory({})], { ...plan, indexing: broken }).catch(() => {});
    const queues = (await eventOutbox.waiting(new Date().toISOString())).map(({ slug }) => slug).sort();
    equal(queues, ['a', 'b'], 'plugins with events');
    equal(
      (await eventOutbox.counts('local')).map(({ slug, waiting }) => `${slug} ${waiting}`),
      ['a 2', 'b 2', 'deaf 0', 'off 0'],
      'counts',
    );
  });

  check(
    'PLG-6: delivers events in order, retries failed ones after a delay, and parks them in the end',
    async (storage) => {
      const { eventOutbox, installations } = storage;
      await installations.insert(installationOf('p'), NOW);
      const [one, two] = await storage.insert('local', createNewMemory({}), createNewMemory({}));
      const now = new Date();
      const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
      const next = (when: string) => eventOutbox.next('local', 'p', when);
      const nextEvent = async (when: string) => {
        const event = await next(when);
        if (event === null) throw new Error('There is no event.');
        return event;
      };
      const lease = await eventOutbox.claim('local', 'p', 60_000);
      if (lease === null) throw new Error('The lease is taken.');
      equal(await eventOutbox.claim('local', 'p', 60_000), null, 'a second claim');
      const first = await nextEvent(at(1));
      equal(first.memoryId, one?.id, 'memory of the first event');
      equal(await eventOutbox.waiting(at(1)), [], 'while another runner delivers');
      await eventOutbox.fail(lease, first, { error: 'why', now: at(0), retryAfterMs: () => 600_000 });
      equal(await next(at(5)), null, 'before it is due again, with a later event waiting');
      equal((await next(at(11)))?.id, first.id, 'when it is due again');
      equal((await next(at(-60)))?.id, first.id, 'after the clock was set back to before its failure');
      let failures = 0;
      const park = (count: number) => {
        failures = count;
        return null;
      };
      await eventOutbox.fail(lease, first, { error: 'at last', now: at(11), retryAfterMs: park });
      equal(failures, 2, 'failures');
      const second = await nextEvent(at(11));
      equal(second.memoryId, two?.id, 'memory of the next event');
      const due = second.time;
      equal(
        await eventOutbox.counts('local'),
        [{ slug: 'p', told: 0, waiting: 1, parked: 1, nextAt: due, lastError: 'at last', isUsed: true }],
        'counts',
      );
      await eventOutbox.settle(lease, second);
      equal((await eventOutbox.counts('local'))[0]?.told, 1, 'delivered');
      equal(await next(at(11)), null, 'when all are delivered or parked');
      await eventOutbox.requeue('p', at(11));
      equal((await next(at(11)))?.id, first.id, 'after it was queued again');
    },
  );

  check('PLG-6: keeps the events of a suspended plugin', async ({ installations, eventOutbox, insert }) => {
    await installations.insert(installationOf('p'), NOW);
    await insert('local', createNewMemory({}));
    await installations.update('p', { suspended: { since: NOW, reason: 'why' } }, NOW);
    await insert('local', createNewMemory({}));
    const now = new Date(Date.now() + 1_000).toISOString();
    equal(await eventOutbox.waiting(now), [], 'while suspended');
    await installations.update('p', { suspended: null }, NOW);
    equal(await eventOutbox.waiting(now), [{ userId: 'local', slug: 'p' }], 'after');
    equal((await eventOutbox.counts('local'))[0]?.waiting, 2, 'events');
  });

  check('PLG-7: a plugin gets the captures of people who have switched it on', async (storage) => {
    const { eventOutbox, installations, insert } = storage;
    const at = NOW;
    for (const slug of ['p', 'q']) await installations.insert(installationOf(slug), at);
    await eventOutbox.setUse('ann', 'p', true, at);
    await eventOutbox.setUse('ann', 'p', true, at);
    for (const user of ['ann', 'bob']) await insert(user, createNewMemory({}));
    const waiting = async (user: string) =>
      (await eventOutbox.counts(user)).map((counts) => [counts.slug, counts.waiting, counts.isUsed]);
    equal(
      await waiting('ann'),
      [
        ['p', 1, true],
        ['q', 0, false],
      ],
      'of one who uses it',
    );
    equal(
      await waiting('bob'),
      [
        ['p', 0, false],
        ['q', 0, false],
      ],
      'of another person',
    );
    await eventOutbox.setUse('ann', 'p', false, at);
    equal((await waiting('ann'))[0], ['p', 0, false], 'switched off');
  });
}
