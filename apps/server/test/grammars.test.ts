import { createHash } from 'node:crypto';
import { extensionKey, extensionOrigin } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { defaultPolicy, isHost } from '@recollect/server/access-policy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkOrigin, createAllowList, type Sender } from '../src/gate/check-origin.js';

import { checkUrl } from '../src/gate/check-request.js';
import { checkHost } from '../src/gate/gate.js';

const PORT = 4545;
const list = createAllowList(
  { ...defaultPolicy, allowedHosts: ['memory.lan'], allowedOrigins: ['https://notes.example'] },
  PORT,
);
const SERVED = `http://127.0.0.1:${PORT}`;
const OWN = [
  `http://127.0.0.1:${PORT}`,
  `http://localhost:${PORT}`,
  `http://[::1]:${PORT}`,
  `http://memory.lan:${PORT}`,
];
/** Texts that resemble the allowed ones, so that a lax parser would accept some of them. */
const similarTo = (words: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join(''));

test('SEC-1: accepts a Host header only if exactly this text is on the list, in any letter case', () => {
  const words = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    ':4545',
    ':',
    '@',
    '.',
    'evil.com',
    'memory.lan',
    '/',
    '?',
    '#',
    '\t',
    '%00',
  ];
  fc.assert(
    fc.property(fc.oneof(similarTo(words), fc.webAuthority(), fc.ipV4Extended(), fc.ipV6()), (host) => {
      const isAllowed = list.hosts.has(host.toLowerCase());
      const check = () => checkHost(['Host', host], list);
      if (isAllowed) expect(check).not.toThrow();
      else expect(check).toThrow(expect.objectContaining({ code: 'HOST_NOT_ALLOWED' }));
    }),
    { numRuns: 2_000 },
  );
});

test('SEC-1: rejects a host with a user, path, query, white space or control character', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('@', '/', '\\', '?', '#', ' ', '\t', '\r', '\n', '\0', '%', '*', ',', ';'),
      fc.string(),
      (a, bad, b) => {
        expect(isHost(a + bad + b)).toBe(false);
      },
    ),
  );
  fc.assert(
    fc.property(fc.domain(), fc.nat(65_535), (name, port) => void expect(isHost(`${name}:${port}`)).toBe(true)),
  );
});

test('SEC-1: requires exactly one Host header, in any letter case', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('Host', 'host', 'HOST', 'X-Host'), { maxLength: 4 }), (names) => {
      const headers = names.flatMap((name) => [name, `localhost:${PORT}`]);
      const count = names.filter((name) => name.toLowerCase() === 'host').length;
      if (count === 1) expect(() => checkHost(headers, list)).not.toThrow();
      else expect(() => checkHost(headers, list)).toThrow(expect.objectContaining({ code: 'HOST_INVALID' }));
    }),
  );
});

test('SEC-3: an Origin that is not on the list is rejected or treated as a stranger', () => {
  const words = [
    'http://',
    'https://',
    '127.0.0.1',
    'localhost',
    ':4545',
    '@',
    '.evil.com',
    '/',
    'null',
    'notes.example',
    'chrome-extension://',
    extensionOrigin,
    ' ',
    ',',
  ];
  const known: Record<string, Sender> = { [extensionOrigin]: 'extension', 'https://notes.example': 'listed' };
  for (const origin of OWN) known[origin] = 'own';
  fc.assert(
    fc.property(fc.oneof(similarTo(words), fc.webUrl(), fc.constantFrom(...Object.keys(known))), (origin) => {
      let sender: Sender | null = null;
      try {
        const judged = checkOrigin(['Origin', origin, 'Sec-Fetch-Site', 'none'], list, SERVED);
        sender = judged.sender;
        expect(judged.echo).toBe(sender === 'stranger' ? null : origin);
      } catch (error) {
        expect(error).toBeInstanceOf(RecollectError);
      }
      expect(sender).toBe(known[origin] ?? (sender === 'stranger' ? 'stranger' : null));
      if (sender === 'stranger') expect(origin).toMatch(/^[a-z-]+-extension:\/\/[0-9a-zA-Z-]+$/);
    }),
    { numRuns: 2_000 },
  );
});

test('SEC-3: treats another port of an allowed name as another server', () => {
  expect(() => checkOrigin(['Origin', 'http://memory.lan'], list, SERVED)).toThrow();
  expect(checkOrigin(['Origin', 'http://memory.lan'], list, 'http://memory.lan').sender).toBe('own');
});

test('SEC-9: a sender without origin headers is a program under a loopback name, and unmarked under any other', () => {
  expect(checkOrigin([], list, SERVED).sender).toBe('program');
  expect(checkOrigin([], list, 'http://[::1]:4545').sender).toBe('program');
  expect(checkOrigin([], list, 'http://memory.lan:4545').sender).toBe('unmarked');
});

test('SEC-8: reads a URL in linear time, and finds a key in the parameter of a list', () => {
  for (const part of ['[', '%5b', '&[', '=', '?', ';', '%', '%25', 'rec_', '%0a'])
    expect((size: number) => {
      try {
        checkUrl(`/x?${part.repeat(size)}%0a[`);
      } catch {}
    }).toTakeLinearTime(8_000);
  for (const name of ['key[]', 'key[a][%0a', 'token%5b0%5d'])
    expect(() => checkUrl(`/x?${name}=1`)).toThrow(expect.objectContaining({ code: 'API_KEY_IN_URL' }));
});

test('SEC-8: finds a key in a URL in any encoding, and does not mistake a search for one', () => {
  const key = fc.stringMatching(/^rec_[0-9A-Za-z]{49}$/);
  const twice = (text: string) => text.replaceAll('%', '%25');
  const escaped = (text: string, which: readonly boolean[]) =>
    [...text]
      .map((letter, at) => (which[at % which.length] ? `%${letter.charCodeAt(0).toString(16)}` : letter))
      .join('');
  fc.assert(
    fc.property(
      key,
      fc.array(fc.boolean(), { minLength: 1 }),
      fc.constantFrom('/', '/x?q=', '/x?%ff&y=', '/x?', '/%zz/'),
      (text, which, before) => {
        expect(() => checkUrl(before + escaped(text, which))).toThrow(
          expect.objectContaining({ code: 'API_KEY_IN_URL' }),
        );
        expect(() => checkUrl(before + twice(escaped(text, which)))).toThrow();
      },
    ),
  );
  for (const name of [
    'api_key[]',
    'api_key%5B0%5D',
    'a=1;token',
    'api_key',
    'API-KEY',
    'apikey',
    'access_token',
    'token',
    'key',
    'api%5fkey',
  ])
    expect(() => checkUrl(`/x?a=1&${name}=anything`)).toThrow();
  for (const query of ['q=what+is+%26api_key%3D', 'q=api_key', 'q=rec_short', 'limit=5', 'q=a=b?token=x'])
    expect(() => checkUrl(`/x?${query}`)).not.toThrow();
});

test('SEC-5: the pinned id matches the key in the manifest', () => {
  const digest = createHash('sha256').update(Buffer.from(extensionKey, 'base64')).digest('hex');
  const id = [...digest.slice(0, 32)].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('');
  expect(extensionOrigin).toBe(`chrome-extension://${id}`);
});
