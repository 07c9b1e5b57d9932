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

/**
 * Renews a lease that was just claimed, until stopped. `renew` returns whether the lease was still held. The lease is
 * lost when it was not, and when so many renewals failed that its time is over.
 */
export function keepLease(renew: (milliseconds: number) => Promise<boolean>): HeldLease {
  const { leaseMs } = limits.work;
  const losing = new AbortController();
  const lose = () => losing.abort();
  let until = performance.now() + leaseMs;
  let expiry = setTimeout(lose, leaseMs);
  const timer = setInterval(() => {
    // The store counts from when it renews the lease, which is later.
    const sentAt = performance.now();
    renew(leaseMs).then(
      (kept) => {
        if (!kept) return lose();
        until = sentAt + leaseMs;
        clearTimeout(expiry);
        expiry = setTimeout(lose, until - performance.now());
      },
      () => {
        // A failed renewal is retried at the next interval; the lease outlasts two failures.
      },
    );
  }, leaseMs / 3);
  return {
    signal: losing.signal,
    // A timer may be late where the event loop was blocked.
    isLost: () => losing.signal.aborted || performance.now() >= until,
    stop() {
      clearInterval(timer);
      clearTimeout(expiry);
    },
  };
}
