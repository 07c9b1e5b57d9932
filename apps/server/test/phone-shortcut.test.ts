import { readFile } from 'node:fs/promises';
import { LOCAL_USER } from '@recollect/core';
import { expect, test } from 'vitest';
import { startTestServer } from './start-test-server.js';

const PAGE = new URL('../../../docs/getting-started/phone.md', import.meta.url);
const LINK = 'https://soups.example/leek?portions=4#method';

/** The request in the documentation, with the values of its placeholders. */
async function documentedRequest(values: Readonly<Record<string, string>>) {
  const [, block = ''] = /```http\n([\s\S]+?)\n```/.exec(await readFile(PAGE, 'utf8')) ?? [];
  const filled = block.replace(/\b(?:KEY|SHORTCUT INPUT)\b/g, (name) => values[name] ?? name);
  const [head = '', body = ''] = filled.split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = start.split(' ');
  return {
    method,
    path,
    body,
    headers: Object.fromEntries(
      lines.map((line) => line.split(': ', 2)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    ),
  };
}

test('CAP-16, SEC-8: the documented shortcut of a phone saves a link with a key that may only save', async () => {
  const server = await startTestServer({ policy: { auth: 'required' } });
  try {
    const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['capture:write'] });
    const { method, path, headers, body } = await documentedRequest({ KEY: key, 'SHORTCUT INPUT': LINK });
    const answer = await server.send(method, path, body, headers);
    expect([answer.status, answer.body.captures]).toEqual([200, [{ id: expect.any(String), status: 'created' }]]);
    const memory = await server.core.memories.get(LOCAL_USER, answer.body.captures[0].id);
    expect(memory).toMatchObject({ url: LINK, isLink: true });
    const { answer: found } = await server.core.query(LOCAL_USER, 'soups.example leek');
    expect(found.results.map(({ url }) => url)).toEqual([LINK]);
    // Sharing the same link again makes no second memory.
    expect((await server.send(method, path, body, headers)).body.captures[0].status).toBe('duplicate');
  } finally {
    await server.close();
  }
});
