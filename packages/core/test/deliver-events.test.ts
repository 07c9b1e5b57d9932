import { expect, test } from 'vitest';
import type { Catalogue } from '../src/plugins/catalogue.js';
import { createEvents, type EventPorts } from '../src/plugins/deliver-events.js';

test('PLG-6: counts the events of all plugins, which are delivered at the same time', async () => {
  const waiting = new Map([
    ['one', 4],
    ['two', 4],
    ['three', 4],
  ]);
  const lease = { userId: 'ann', name: 'x', token: 1 };
  const ports = {
    clock: { now: () => new Date() },
    leases: { renew: async () => true, release: async () => {} },
    // Events of deleted memories need no plugin.
    memories: { find: async () => null },
    eventOutbox: {
      waiting: async () => [...waiting.keys()].map((slug) => ({ userId: 'ann', slug })),
      claim: async (_userId: string, slug: string) => ({ ...lease, slug }),
      next: async (_userId: string, slug: string) => (waiting.get(slug) === 0 ? null : { memoryId: 'gone' }),
      settle: async ({ slug }: { slug: string }) => {
        waiting.set(slug, (waiting.get(slug) ?? 0) - 1);
      },
    },
  };
  const catalogue = { findActive: async () => ({}) };
  const events = createEvents(ports as unknown as EventPorts, catalogue as unknown as Catalogue, async () => ({
    kind: 'stopped',
  }));
  expect(await events.deliver()).toBe(12);
});
