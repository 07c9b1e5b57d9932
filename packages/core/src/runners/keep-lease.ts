import { limits } from '@recollect/contract/limits';
import type { Lease } from '../ports/index.js';

export interface HeldLease {
  /** Aborts when the lease is lost. */
  signal: AbortSignal;
  isLost(): boolean;
  stop(): void;
}

/**
 * Releases a lease after the work has ended. Ignores failures: the lease then expires by itself, and an error here
 * would hide an error of the work.
 */
export async function releaseLease<Held extends Lease>(
  leases: { release(lease: Held): Promise<void> },
  lease: Held,
): Promise<void> {
  await leases.release(lease).catch(() => {});
}

/** Renews a lease until stopped. `renew` returns whether the lease was still held. */
export function keepLease(renew: (milliseconds: number) => Promise<boolean>): HeldLease {
  const { leaseMs } = limits.work;
  const losing = new AbortController();
  const timer = setInterval(() => {
    renew(leaseMs).then(
      (kept) => {
        if (!kept) losing.abort();
      },
      () => {
        // A failed renewal is retried at the next interval; the lease outlasts two failures.
      },
    );
  }, leaseMs / 3);
  return { signal: losing.signal, isLost: () => losing.signal.aborted, stop: () => clearInterval(timer) };
}
