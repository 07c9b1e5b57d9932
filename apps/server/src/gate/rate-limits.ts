import { limits, type Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import ipaddr from 'ipaddr.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

export interface RateLimits {
  /** Counts a request for its API key, or for its address if it has none. Throws RATE_LIMITED. */
  countRequest(operation: Operation, caller: { apiKeyId: string | null; address: string }): void;
  /** Counts a failed authentication. Throws RATE_LIMITED if the address had too many. */
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
        `The limit is ${budgets[budget]} of these requests per minute. Wait ${seconds} seconds.`,
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
export function addressBlock(address: string): string {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
