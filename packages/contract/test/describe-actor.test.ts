import { describeActor } from '@recollect/contract/text';
import { expect, test } from 'vitest';

test.each([
  [{ client: 'cli', name: null, key: null }, 'the command line'],
  [{ client: 'mcp', name: 'Claude', key: null }, 'the assistant Claude'],
  [{ client: 'plugin', name: 'auto-tag', key: null }, 'the plugin auto-tag'],
  [{ client: 'http', name: null, key: 'Laptop' }, 'a program, with the key Laptop'],
] as const)('%j is %s', (actor, described) => {
  expect(describeActor(actor)).toBe(described);
});
