import { limits, type Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import ipaddr from 'ipaddr.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

export interface RateLimits {
  /** Counts a request of an operation for a key, or for an address without one. Throws RATE_LIMITED. */
  countRequest(operation: Operation, caller: { apiKeyId: string | null; address: string }): void;
  /** Counts a failed authentication. Throws RATE_LIMITED when there were too many from the address. */
  countFailure(address: string): void;
}

const { failures, ...budgets } = limits.requestsPerMinute;

/** SEC-10. */
export function createRateLimits(): RateLimits {
  const requests = Object.fromEntries(
    Object.entries(budgets).map(([budget, limit]) => [budget, createRateLimiter(limit)]),
  ) as Record<keyof typeof budgets, RateLimiter>;
  const failed = createRateLimiter(failures);
  return {
    countRequest({ budget }, { apiKeyId, address }) {
      if (budget === undefined) return;
      const seconds = requests[budget].take(apiKeyId ?? addressBlock(address));
      if (seconds === 0) return;
      throw new RecollectError(
        'RATE_LIMITED',
        `At most ${budgets[budget]} of these requests are taken a minute. Wait ${seconds} seconds.`,
        { retryAfter: seconds },
      );
    },
    countFailure(address) {
      const seconds = failed.take(addressBlock(address));
      if (seconds === 0) return;
      throw new RecollectError(
        'RATE_LIMITED',
        `Too many API keys that are not valid came from this address. Wait ${seconds} seconds; a valid key is taken at any time.`,
        { retryAfter: seconds },
      );
    },
  };
}

export const noRateLimits: RateLimits = { countRequest() {}, countFailure() {} };

/** An address, without a port, and of IPv6 its first 64 bits: whoever has one address there has all of them. */
export function addressBlock(address: string): string {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
