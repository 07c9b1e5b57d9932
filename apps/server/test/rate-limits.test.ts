import { type Core, createApiKey, LOCAL_USER } from '@recollect/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addressBlock, createRateLimiter } from '../src/gate/rate-limits.js';

import { startTestServer } from './start-test-server.js';

/** Core that saves and searches once, and gives the same answer to all that follow. */
function answeringOnce(core: Core): Core {
  let captured: ReturnType<Core['capture']>;
  let found: ReturnType<Core['query']>;
  return {
    ...core,
    capture: (...given) => (captured ??= core.capture(...given)),
    query: (...given) => (found ??= core.query(...given)),
  };
}

describe('over HTTP', () => {
  // However slow the machine is, all requests come in one minute.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now())));
  afterEach(() => void vi.restoreAllMocks());

  test('SEC-10: returns 429 after ten failed authentications in a minute, but still accepts a valid key', async () => {
    const server = await startTestServer({ policy: { limitsRequests: true } });
    try {
      const { key } = await server.core.apiKeys.create(LOCAL_USER);
      const tryKey = (authorization: string) => server.send('GET', '/api/v1/memories', undefined, { authorization });
      for (let at = 0; at < 10; at++) expect((await tryKey(`Bearer ${createApiKey()}`)).status).toBe(401);
      for (const wrong of [`Bearer ${createApiKey()}`, 'Basic dTpw', '']) {
        const late = await tryKey(wrong);
        expect([late.status, late.body.code]).toEqual([429, 'RATE_LIMITED']);
        const seconds = Number(late.headers.get('retry-after'));
        expect(seconds).toBe(60);
        expect(late.body.detail).toContain(`${seconds} seconds`);
      }
      expect((await tryKey(`Bearer ${key}`)).status).toBe(200);
      expect((await server.send('GET', '/api/v1/memories')).status).toBe(200);
    } finally {
      await server.close();
    }
  });

  test('SEC-10: allows 120 captures and 600 queries per minute, separately for each key and address', async () => {
    const server = await startTestServer({ policy: { limitsRequests: true }, change: answeringOnce });
    try {
      const { key } = await server.core.apiKeys.create(LOCAL_USER);
      const authorization = { authorization: `Bearer ${key}` };
      const capture = (headers = {}) => server.send('POST', '/api/v1/capture', { pageText: 'again' }, headers);
      const query = (at: number) =>
        at % 2 === 0
          ? server.send('GET', '/api/v1/capture/query?q=again')
          : server.send('POST', '/api/v1/capture/query', { query: 'again' });
      const statuses = async (count: number, ask: (at: number) => Promise<{ status: number }>) => {
        const answers = [];
        for (let at = 0; at < count; at++) answers.push((await ask(at)).status);
        return answers;
      };
      expect(new Set(await statuses(120, () => capture()))).toEqual(new Set([200]));
      expect(await statuses(2, () => capture())).toEqual([429, 429]);
      expect(new Set(await statuses(120, () => capture(authorization)))).toEqual(new Set([200]));
      expect(await statuses(1, () => capture(authorization))).toEqual([429]);
      expect(new Set(await statuses(600, query))).toEqual(new Set([200]));
      expect(await statuses(2, query)).toEqual([429, 429]);
      expect((await server.send('GET', '/api/v1/memories')).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('the limiter', () => {
  test('SEC-10: never exceeds the limit in a minute that begins with a first request', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20_000)), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (limit, asked) => {
        let now = 0;
        const limiter = createRateLimiter(limit, () => now);
        const begun = new Map<string, { at: number; taken: number }>();
        for (const [caller, pause] of asked) {
          now += pause;
          const window = begun.get(caller);
          if (window === undefined || now >= window.at + 60_000) begun.set(caller, { at: now, taken: 0 });
          const present = begun.get(caller) ?? { at: now, taken: 0 };
          const wait = limiter.take(caller);
          expect(wait === 0).toBe(present.taken < limit);
          if (wait === 0) present.taken += 1;
          // Waiting for the returned time is enough.
          else expect(now + wait * 1_000).toBeGreaterThanOrEqual(present.at + 60_000);
        }
      }),
    );
  });

  test('SEC-10: bounds its memory with 100,000 addresses', () => {
    const limiter = createRateLimiter(10);
    for (let at = 0; at < 100_000; at++) limiter.take(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
    expect(limiter.size()).toBeLessThanOrEqual(10_000);
  });

  test('SEC-10: keeps an active caller in memory among many others', () => {
    const limiter = createRateLimiter(10);
    for (let at = 0; at < 10; at++) expect(limiter.take('eager')).toBe(0);
    for (let at = 0; at < 50_000; at++) {
      limiter.take(`other ${at}`);
      if (at % 1_000 === 0) expect(limiter.take('eager')).toBeGreaterThan(0);
    }
  });

  test('SEC-10: counts an IPv6 /64 network as one address, and each IPv4 address separately', () => {
    expect(addressBlock('2001:db8:1:2::1')).toBe(addressBlock('2001:db8:1:2:ffff::9'));
    expect(addressBlock('2001:db8:1:2::1')).not.toBe(addressBlock('2001:db8:1:3::1'));
    expect(addressBlock('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(addressBlock('10.0.0.1')).not.toBe(addressBlock('10.0.0.2'));
    expect(addressBlock('unknown, _hidden')).toBe('unknown');
  });
});
