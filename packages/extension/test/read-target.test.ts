import { expect, test } from 'vitest';
import { readTarget } from '../src/connect/read-target.js';

test('EXT-8: reads a link, or an address and a code', () => {
  expect(readTarget(' https://host.example/recollect/#pair=7K3M-Q9ZT-0VXA ', '')).toEqual({
    baseUrl: 'https://host.example/recollect',
    code: '7K3M-Q9ZT-0VXA',
  });
  expect(readTarget('host.example:8443', ' 7k3m ')).toEqual({ baseUrl: 'https://host.example:8443', code: '7k3m' });
  expect(readTarget('http://127.0.0.1:4545/', '')).toEqual({ baseUrl: 'http://127.0.0.1:4545', code: '' });
  // A typed code wins over the one in a link.
  expect(readTarget('http://[::1]:4545/#pair=OLD', 'NEW')).toEqual({ baseUrl: 'http://[::1]:4545', code: 'NEW' });
  for (const text of ['', '   ', 'ftp://host.example/', 'file:///etc', 'https://', 'a b'])
    expect([text, readTarget(text, 'X')]).toEqual([text, null]);
});
