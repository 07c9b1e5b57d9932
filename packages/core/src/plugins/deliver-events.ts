import { limits } from '@recollect/contract/limits';
import { LeaseLostError } from '../error.js';
import type { CaptureEvent, Installation, PluginOutcome } from '../plugin.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { OutboxEvent } from '../ports/index.js';
import { inParallel } from '../runners/in-parallel.js';
import { type HeldLease, keepLease, releaseLease } from '../runners/keep-lease.js';
import { retryDelay } from '../runners/retry-delay.js';
import { createId } from '../text/create-id.js';
import type { CallPlugin } from './call-plugin.js';
import type { Catalogue } from './catalogue.js';

/** The name of hook runs in the history. */
const HOOK = 'onCapture';

/** The dependencies of delivering events. */
export type EventPorts = Pick<CorePorts, 'eventOutbox' | 'leases' | 'memories' | 'pluginJobs' | 'clock'>;

export interface DeliverOptions {
  signal?: AbortSignal | undefined;
  /** Called before each event; false leaves the rest for later. */
  shouldContinue?: (() => boolean) | undefined;
}

export interface Events {
  /**
   * Delivers the waiting capture events to plugins, to each plugin in commit order. Returns the number of events
   * handled. Across all processes, only one at a time delivers to a plugin.
   *
   * @example
   * const count = await core.events.deliver({ signal: AbortSignal.timeout(60_000) });
   */
  deliver(options?: DeliverOptions): Promise<number>;
}

/** Delivers the events in the outbox at least once, and in order per plugin (PLG-6). */
export function createEvents(ports: EventPorts, catalogue: Catalogue, callPlugin: CallPlugin): Events {
  const { eventOutbox, leases, clock } = ports;
  const never = new AbortController().signal;

  return {
    async deliver({ signal = never, shouldContinue = () => true } = {}) {
      const queues = await eventOutbox.waiting(clock.now().toISOString());
      let count = 0;
      await inParallel(queues, queues.length, async ({ userId, slug }) => {
        const lease = await eventOutbox.claim(userId, slug, limits.work.leaseMs);
        if (lease === null) return;
        const find = () => catalogue.findActive(slug);
        const held = keepLease((milliseconds) => leases.renew(lease, milliseconds));
        try {
          const delivered = await deliverQueue(ports, callPlugin, { find, slug, lease, held, signal, shouldContinue });
          // Only now, because other queues have changed the count since.
          count += delivered;
        } finally {
          held.stop();
          await releaseLease(leases, lease);
        }
      });
      return count;
    },
  };
}

interface Delivery {
  slug: string;
  /** Reads the plugin's current state: it may be disabled, configured or replaced between two events. */
  find: () => Promise<Installation | null>;
  lease: Parameters<CallPlugin>[2]['lease'];
  held: HeldLease;
  signal: AbortSignal;
  shouldContinue: () => boolean;
}

async function deliverQueue(
  ports: EventPorts,
  callPlugin: CallPlugin,
  { slug, find, lease, held, signal, shouldContinue }: Delivery,
): Promise<number> {
  const { eventOutbox, clock } = ports;
  const { userId } = lease;
  const either = AbortSignal.any([signal, held.signal]);
  let handled = 0;
  try {
    while (!either.aborted && shouldContinue()) {
      const plugin = await find();
      const event = await eventOutbox.next(userId, slug, clock.now().toISOString());
      if (plugin === null || event === null) break;
      const startedAt = clock.now().toISOString();
      const delivered = await readEvent(ports, userId, event);
      // Events of deleted memories are settled without a call.
      if (delivered !== null) {
        const outcome = await callPlugin(plugin, { kind: 'capture', event: delivered }, { lease, signal: either });
        if (outcome.kind === 'stopped') break;
        if (outcome.kind !== 'done') {
          await recordFailure(ports, plugin, { lease, event, outcome, startedAt });
          handled += 1;
          if (outcome.kind === 'not-started') break;
          continue;
        }
      }
      await eventOutbox.settle(lease, event, delivered !== null);
      handled += 1;
    }
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
  }
  return handled;
}

async function readEvent(
  { memories }: EventPorts,
  userId: string,
  { id, memoryId, time }: OutboxEvent,
): Promise<CaptureEvent | null> {
  const memory = await memories.find(userId, memoryId);
  if (memory === null) return null;
  const { title, sourceType, sourceApp, url, captureMode, tags, metadata, text } = memory;
  const delivered = { id: memoryId, title, sourceType, sourceApp, url, captureMode, tags, metadata, text };
  return { id, kind: 'capture', time, memory: delivered };
}

async function recordFailure(
  { eventOutbox, pluginJobs, clock }: EventPorts,
  { manifest: { slug } }: Installation,
  failed: {
    lease: Delivery['lease'];
    event: OutboxEvent;
    outcome: Exclude<PluginOutcome, { kind: 'stopped' | 'done' }>;
    startedAt: string;
  },
): Promise<void> {
  const { lease, event, outcome, startedAt } = failed;
  const { summary, details } = outcome;
  const now = clock.now();
  await eventOutbox.fail(lease, event, { error: summary, now: now.toISOString(), retryAfterMs: retryDelay });
  await pluginJobs.record(
    lease.userId,
    {
      id: createId(now),
      slug,
      jobId: HOOK,
      trigger: 'event',
      status: outcome.kind === 'timeout' ? 'timeout' : 'failed',
      summary,
      details: [...details],
      startedAt,
      finishedAt: now.toISOString(),
    },
    limits.jobs.runs,
  );
}
