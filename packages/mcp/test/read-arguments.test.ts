import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { McpMessage } from '@recollect/contract';
import { expect, test } from 'vitest';
import { readArguments } from '../src/binding/call-tool.js';
import { readCall } from '../src/serving/read-call.js';
import { readMessages } from '../src/serving/serve-stdio.js';
import { fetch } from '../src/tools/fetch.js';
import { save } from '../src/tools/save.js';
import { search } from '../src/tools/search.js';

test('MCP-1: an argument that is JSON of its declared type in a string is read as its value', () => {
  const tags = (given: unknown) => readArguments(save.arguments, { text: '["a"]', tags: given });
  expect(tags('["wasps","paper"]')).toEqual({ text: '["a"]', tags: ['wasps', 'paper'] });
  expect(tags(' wasps, paper nests ,')).toEqual({ text: '["a"]', tags: ['wasps', 'paper nests'] });
  expect(tags('')).toEqual({ text: '["a"]', tags: [] });
  expect(tags('["wasps')).toEqual({ text: '["a"]', tags: '["wasps' });
  expect(tags(null)).toEqual({ text: '["a"]' });
  const readSearch = (given: object) => readArguments(search.arguments, { query: '3', ...given });
  expect(readSearch({ limit: '3', starred: 'false', tag: '1' })).toEqual({
    query: '3',
    limit: 3,
    starred: false,
    tag: '1',
  });
  expect(readSearch({ starred: 'True', limit: ' 7 ' })).toEqual({ query: '3', limit: 7, starred: true });
  const kept = { limit: '2.5', starred: 'yes', tokens: 'null', other: '1' };
  expect(readSearch(kept)).toEqual({ query: '3', ...kept });
  expect(readArguments(fetch.arguments, { id: '12', offset: '100' })).toEqual({ id: '12', offset: 100 });
});

const call = (given: unknown): McpMessage => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'tags', arguments: given },
});

test('MCP-1: arguments that are null, or an object as JSON, are read, and other strings stay', () => {
  expect(readCall(call(null)).params).toEqual({ name: 'tags' });
  expect(readCall(call('null')).params).toEqual({ name: 'tags' });
  expect(readCall(call('{"text":"[1]"}'))).toEqual(call({ text: '[1]' }));
  for (const other of ['tea', '[1]', '3', { text: 'tea' }, undefined])
    expect(readCall(call(other))).toEqual(call(other));
});

test('MCP-1: a call over standard input is read in the same way', async () => {
  const input = new PassThrough();
  const messages = readMessages(input, (error) => expect.fail(error.message));
  const params: unknown[] = [];
  messages.on('data', (line: Buffer) => params.push(JSON.parse(line.toString()).params));
  input.end(`${JSON.stringify(call(null))}\n${JSON.stringify(call({ text: 'tea' }))}\n`);
  await once(input, 'end');
  await expect.poll(() => params).toEqual([{ name: 'tags' }, { name: 'tags', arguments: { text: 'tea' } }]);
});
