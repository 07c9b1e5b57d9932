import { limits } from '@recollect/contract/limits';
import type { Lease } from '../ports/index.js';

export interface HeldLease {
  /** Aborts when the lease is lost. */
  signal: AbortSignal;
  isLost(): boolean;
  stop(): void;
}

/**
 * Gives a lease back when work has ended. One that cannot be given back runs out by itself; an error of the work is what has to be
 * reported.
 */
export async function giveBack<Held extends Lease>(
  leases: { release(lease: Held): Promise<void> },
  lease: Held,
): Promise<void> {
  await leases.release(lease).catch(() => {});
}

/** Renews a lease while work goes on. `renew` tells whether it was still held. */
export function keepLease(renew: (milliseconds: number) => Promise<boolean>): HeldLease {
  const { leaseMs } = limits.work;
  const losing = new AbortController();
  const timer = setInterval(() => {
    renew(leaseMs).then(
      (kept) => {
        if (!kept) losing.abort();
      },
      () => {
        // A renewal that fails is tried again at the next turn; the lease outlasts two of them.
      },
    );
  }, leaseMs / 3);
  return { signal: losing.signal, isLost: () => losing.signal.aborted, stop: () => clearInterval(timer) };
}
