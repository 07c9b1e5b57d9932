import { limits, type Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import ipaddr from 'ipaddr.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

/** A caller that asks too often, and how long it has to wait. */
export class RateLimitedError extends RecollectError {
  readonly seconds: number;
  constructor(detail: string, seconds: number) {
    super('RATE_LIMITED', detail);
    this.seconds = seconds;
  }
}

export interface RateLimits {
  /** Counts a request of an operation for a key, or for an address without one. Throws {@link RateLimitedError}. */
  countRequest(operation: Operation, caller: { apiKeyId: string | null; address: string }): void;
  /** Counts a failed authentication. Throws {@link RateLimitedError} when there were too many from the address. */
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
      throw new RateLimitedError(
        `At most ${budgets[budget]} of these requests are taken a minute. Wait ${seconds} seconds.`,
        seconds,
      );
    },
    countFailure(address) {
      const seconds = failed.take(addressBlock(address));
      if (seconds === 0) return;
      throw new RateLimitedError(
        `Too many API keys that are not valid came from this address. Wait ${seconds} seconds; a valid key is taken at any time.`,
        seconds,
      );
    },
  };
}

export const noRateLimits: RateLimits = { countRequest() {}, countFailure() {} };

/** An address, and of IPv6 its first 64 bits: whoever has one address there has all of them. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
