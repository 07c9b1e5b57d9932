import { byActor, describeActor, displayed } from '@recollect/contract/text';
import { expect, test } from 'vitest';

test.each([
  [{ client: 'cli', name: null, key: null }, 'the command line'],
  [{ client: 'mcp', name: 'Claude', key: null }, 'the assistant Claude'],
  [{ client: 'plugin', name: 'auto-tag', key: null }, 'the plugin auto-tag'],
  [{ client: 'http', name: null, key: 'Laptop' }, 'a script, with the key Laptop'],
] as const)('%j is %s', (actor, described) => {
  expect(describeActor(actor)).toBe(described);
});

test('who did something, after a verb', () => {
  expect(byActor({ client: 'http', name: null, key: null })).toBe('by a script');
  expect(byActor({ client: 'mcp', name: 'Claude\u202e', key: null })).toBe('by the assistant Claude');
});

test('a displayed text has no characters that change its direction, and keeps its letters', () => {
  expect(displayed('user\u202egnp.exe')).toBe('usergnp.exe');
  expect(displayed('\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')).toBe('');
  expect(displayed('שלום 👩\u200d🚀')).toBe('שלום 👩\u200d🚀');
});
