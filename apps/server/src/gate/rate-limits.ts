import { limits, type Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import ipaddr from 'ipaddr.js';

/** Maximum number of callers in memory, which take a few megabytes. */
const CAPACITY = 10_000;
const MINUTE = 60_000;

interface RateLimiter {
  /**
   * Counts a request of a caller. Returns 0 if it is allowed, else the seconds until the next one is. `own` is another
   * limit, for this caller.
   */
  take(caller: string, own?: number): number;
  /** Upper bound of the number of callers in memory now. */
  size(): number;
}

/**
 * Allows each caller `limit` requests per minute, where a minute begins with the first request. Memory is bounded for
 * any number of callers: there are two generations, and when the younger is full, the older is dropped. A request moves
 * its caller to the younger. `now` is in milliseconds and does not go back.
 */
export function createRateLimiter(limit: number, now: () => number = () => performance.now()): RateLimiter {
  let young = new Map<string, { endsAt: number; count: number }>();
  let old: typeof young = new Map();

  return {
    take(caller, own = limit) {
      const time = now();
      let window = young.get(caller) ?? old.get(caller);
      if (window === undefined || window.endsAt <= time) window = { endsAt: time + MINUTE, count: 0 };
      window.count += 1;
      young.set(caller, window);
      if (young.size >= CAPACITY / 2) [young, old] = [new Map(), young];
      return window.count <= own ? 0 : Math.max(1, Math.ceil((window.endsAt - time) / 1_000));
    },
    size: () => young.size + old.size,
  };
}

/** A caller of operations with a budget. */
export interface Caller {
  /** An invited person, whose keys and sessions share a budget. Null for the owner, whose keys have one each. */
  personId: string | null;
  /** Null without a key: then the address counts. */
  apiKeyId: string | null;
  address: string | undefined;
  /** How many captures a minute the person may send. Null: as every other caller. */
  capturesPerMinute: number | null;
}

export interface RateLimits {
  /** Counts a request for its caller. Throws RATE_LIMITED. */
  countRequest(operation: Operation, caller: Caller): void;
  /** Counts a failed authentication. Throws RATE_LIMITED if the address had too many. */
  countFailure(address: string | undefined): void;
}

const { failures, ...budgets } = limits.requestsPerMinute;

/** SEC-10. */
export function createRateLimits(): RateLimits {
  const requests = Object.fromEntries(
    Object.entries(budgets).map(([budget, limit]) => [budget, createRateLimiter(limit)]),
  ) as Record<keyof typeof budgets, RateLimiter>;
  const failed = createRateLimiter(failures);
  return {
    countRequest({ budget }, { personId, apiKeyId, address, capturesPerMinute }) {
      if (budget === undefined) return;
      const limit = (budget === 'capture' ? capturesPerMinute : null) ?? budgets[budget];
      const seconds = requests[budget].take(personId ?? apiKeyId ?? addressBlock(address), limit);
      if (seconds === 0) return;
      throw new RecollectError(
        'RATE_LIMITED',
        `The limit is ${limit} of these requests per minute. Wait ${seconds} seconds.`,
        { retryAfter: seconds },
      );
    },
    countFailure(address) {
      const seconds = failed.take(addressBlock(address));
      if (seconds === 0) return;
      throw new RecollectError(
        'RATE_LIMITED',
        `This address sent too many invalid API keys. Wait ${seconds} seconds, or send a valid key.`,
        { retryAfter: seconds },
      );
    },
  };
}

export const noRateLimits: RateLimits = { countRequest() {}, countFailure() {} };

/** An address without its port; for IPv6 only its first 64 bits, because one client can use all addresses of a /64. */
export function addressBlock(address = ''): string {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
