import { isHttpUrl } from '@recollect/contract';
import { isPageAddress, parseUrl } from '@recollect/contract/text';
import { expect, test } from 'vitest';

test('CAP-12: a host with letters of Latin-1 is valid, also after very many other addresses', () => {
  // Node 22 optimises URL.canParse after some thousand calls, and takes such a host for invalid from then on.
  const host = JSON.parse('"https://b\\u00fccher.example/"');
  for (let count = 0; count < 100_000; count++) {
    isPageAddress('https://a.example/notes/1');
    isHttpUrl('https://a.example/notes/1');
  }
  expect([isPageAddress(host), isHttpUrl(host), parseUrl(host)?.hostname]).toEqual([
    true,
    true,
    'xn--bcher-kva.example',
  ]);
});

test('an address is read relative to a base, and an invalid one is null', () => {
  expect(parseUrl('../tea', 'https://a.example/notes/1')?.href).toBe('https://a.example/tea');
  for (const invalid of ['', 'tea', 'https://', 'https://a b/']) expect(parseUrl(invalid)).toBeNull();
});
