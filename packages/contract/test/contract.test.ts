import {
  Capture,
  isHttpUrl,
  isInstant,
  limits,
  type Operation,
  operations,
  problems,
  QueryBody,
  validate,
} from '@recollect/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('the table of operations', () => {
  test('SYS-3: names only problems that the table of problems contains', () => {
    for (const operation of Object.values(operations)) {
      for (const code of operation.problems) expect(Object.keys(problems)).toContain(code);
    }
  });

  test('has unique methods and paths, and only the listed paths are public', () => {
    const keys = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
    const open = [
      '/api/v1/extension/setup',
      '/api/v1/extension/package',
      '/save',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
      '/docs/export.schema.json',
      '/docs/{page}',
      '/docs/{folder}/{page}',
      // Proves that the server knows a secret, and reveals nothing else.
      '/api/v1/server/proof',
      // Without an identity, the state of a session only says that a key is needed.
      '/api/v1/session',
      // Exchanges a code of 60 random bits, which is valid once and for ten minutes.
      '/api/v1/pairings/redeem',
      // An invitation has a token of 256 random bits; a challenge is a random number.
      '/api/v1/invitations/open',
      '/api/v1/invitations/accept',
      '/api/v1/passkeys/challenge',
      '/api/v1/passkeys/sign-in',
      // Redirects to the provider of identities, and back.
      '/sign-in',
      '/sign-in/callback',
      // Takes a token that the provider has signed.
      '/sign-in/logout',
      // A public page has a token of 256 random bits, which its owner can end.
      '/public/{token}',
      '/public/{token}/feed',
      '/public/{token}/{memoryId}',
      '/',
      '/everything',
      '/memory/{id}',
      '/highlights',
      '/highlights/review',
      '/shared',
      '/shared/{id}',
      '/shared/{id}/{personId}/{memoryId}',
      '/tags',
      '/trash',
      '/settings',
      '/settings/{section}',
      '/assets/{file}',
      '/manifest.webmanifest',
      '/service-worker.js',
    ];
    for (const { path, scope, admitsExtensions = false } of Object.values<Operation>(operations)) {
      expect(scope === 'public' || !admitsExtensions).toBe(true);
      expect([path, scope === 'public']).toEqual([path, open.includes(path)]);
      if (scope !== 'public') expect(path).toMatch(/^\/api\/mcp$|^\/metrics$|^\/api\/v1\//);
    }
  });
});

describe('validate', () => {
  test('SYS-3: returns a message for each invalid field', () => {
    const faults = validate(Capture, {
      title: 5,
      url: 'ftp://x',
      captureMode: 'all',
      tags: ['a'.repeat(101)],
      capturedAt: 'x',
      messages: [{ role: 'u' }],
    });
    expect(Object.fromEntries(faults.map(({ pointer, message }) => [pointer, message]))).toEqual({
      '/title': 'must be of type string',
      '/url': 'must be an absolute http or https URL',
      '/captureMode': 'must be one of: smart, selection, page, conversation',
      '/tags/0': 'must have at most 100 characters',
      '/capturedAt': expect.stringContaining('ISO 8601'),
      '/messages/0/text': 'is required',
    });
    expect(
      validate(QueryBody, { query: 'x'.repeat(limits.query.length + 1), limit: 51 }).map(({ message }) => message),
    ).toEqual(['must have at most 2000 characters', 'must be at most 50']);
  });

  test('accepts a missing field and null', () => {
    expect(validate(Capture, {})).toEqual([]);
    expect(validate(Capture, { title: null, url: null, metadata: null, url2: 'unknown' })).toEqual([]);
    expect(validate(Capture, { url: '' })).toEqual([]);
  });

  test('never returns an empty message', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const { message } of validate(Capture, { messages: value, tags: value, metadata: value, url: value }))
          expect(message).not.toBe('');
      }),
    );
  });
});

describe('formats', () => {
  test('accepts only existing ISO 8601 dates as instants', () => {
    for (const good of ['2026-01-31', '2024-02-29', '2026-01-31T09:30Z', '2026-01-31T09:30:00.123+02:00'])
      expect([good, isInstant(good)]).toEqual([good, true]);
    for (const bad of ['2026-02-30', '2026-13-01', '31.1.2026', '2026-01-31T09:30', '2026-01-31T25:00Z', '', 'now'])
      expect([bad, isInstant(bad)]).toEqual([bad, false]);
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) =>
        isInstant(date.toISOString()),
      ),
    );
  });

  test('accepts only absolute http and https URLs', () => {
    fc.assert(fc.property(fc.webUrl(), isHttpUrl));
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//a.example',
      'http://',
      'http:a',
      ' https://a.example',
      'file:///etc',
    ])
      expect([bad, isHttpUrl(bad)]).toEqual([bad, false]);
  });
});
