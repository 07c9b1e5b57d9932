import { LeaseLostError } from '#core/error.js';
import type { Installation, JobRun, Schedule } from '#core/plugin.js';
import type { Lease } from '#core/ports/index.js';
import type { Harness } from './harness.js';

export const NOW = '2026-01-31T12:00:00.000Z';
export const LATER = '2026-01-31T13:00:00.000Z';

export function installationOf(slug: string, more: Partial<Installation> = {}): Installation {
  return {
    manifest: {
      slug,
      version: '1.0.0',
      title: slug,
      description: null,
      scopes: ['read'],
      permissions: [],
      observesCaptures: true,
      jobs: [{ id: 'tick', title: 'Tick', defaultIntervalMinutes: 60 }],
      configurationSchema: { type: 'object' },
    },
    source: 'folder',
    sha256: 'a'.repeat(64),
    isEnabled: true,
    allowed: [],
    configuration: { deep: { list: [1, 'two', null] } },
    failedStarts: 0,
    suspended: null,
    ...more,
  };
}

export function scheduleOf(more: Partial<Schedule> = {}): Schedule {
  return { slug: 'p', jobId: 'tick', enabled: true, intervalMinutes: 60, nextRunAt: NOW, ...more };
}

export function runOf(id: string, more: Partial<JobRun> = {}): JobRun {
  return {
    id,
    slug: 'p',
    jobId: 'tick',
    trigger: 'schedule',
    status: 'success',
    summary: 'Done.',
    details: ['one', 'two'],
    startedAt: NOW,
    finishedAt: NOW,
    ...more,
  };
}

export async function isLost(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    (error) => error instanceof LeaseLostError,
  );
}

/** Claims a lease that is free. */
export async function claim({ leases }: Harness, name: string, milliseconds = 60_000): Promise<Lease> {
  const lease = await leases.claim('ann', name, milliseconds);
  if (lease === null) throw new Error('The lease is taken.');
  return lease;
}
