import { siteOf } from '@recollect/ui/site';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test.each([
  ['https://www.example.org/a?b#c', 'example.org'],
  ['http://user:secret@127.0.0.1:4545/', '127.0.0.1:4545'],
  ['https://WWW.Example.ORG', 'example.org'],
  ['https://www.com/', 'www.com'],
  ['https://wwwonders.example/', 'wwwonders.example'],
  ['https://аpple.com/', 'xn--pple-43d.com'],
  ['https://xn--pple-43d.com/', 'xn--pple-43d.com'],
  ['file:///etc/passwd', ''],
  ['javascript:alert(1)', ''],
  ['example.org', ''],
  ['', ''],
])('the site of %j is %j', (url, expected) => {
  expect(siteOf(url)).toBe(expected);
});

test('the site of a web address has only the characters of a host and port', () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      expect(siteOf(url)).toMatch(/^[\w.:[\]-]+$/);
    }),
  );
});

test('any text is accepted', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => typeof siteOf(text) === 'string'));
});
