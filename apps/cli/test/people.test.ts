import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_PUBLIC_URL: 'https://memory.example/base' });
});
afterEach(() => cli.remove());

test('PPL-13, CLI-1: the owner invites, changes, disables and deletes a person', async () => {
  const invited = await cli.run(['people', 'invite', 'Ann', '--address', 'ann@a.example', '--memories', '10']);
  expect([invited.code, invited.out]).toEqual([
    0,
    expect.stringMatching(/^https:\/\/memory\.example\/base\/#invite=[\w-]{43}\n$/),
  ]);
  const again = await cli.run(['people', 'invite', 'ann', '--again']);
  expect([again.code, again.out === invited.out]).toEqual([0, false]);
  const listed = await cli.run(['people']);
  expect(listed.out).toMatch(/Ann +member +invited +0 of 10 +0 bytes|Ann +member +invited +0 of 10/);
  const change = ['people', 'change', 'ANN@a.example', '--role', 'guest', '--memories', 'none', '--megabytes', '5'];
  expect(await cli.json(change)).toMatchObject({
    role: 'guest',
    quota: { memories: null, bytes: 5_000_000, capturesPerMinute: null },
  });
  expect((await cli.run(['people', 'disable', 'Ann'])).err).toContain('has not opened the invitation');
  const deleted = await cli.run(['people', 'delete', 'Ann', '--yes']);
  expect(deleted.out).toBe('Ann is deleted, with 0 memories, 0 highlights, 0 saved searches and 0 keys.\n');
  expect(await cli.run(['people', 'delete', 'Ann', '--yes'])).toMatchObject({ code: 1, out: '' });
  const { people } = await cli.json(['people']);
  expect(people).toMatchObject([{ id: 'local', role: 'owner' }]);
});

test('PPL-13: exports what a person has, and refuses wrong usage', async () => {
  await cli.run(['people', 'invite', 'Ann']);
  const path = join(cli.folder, 'ann.jsonl');
  expect((await cli.run(['people', 'export', 'Ann', '--out', path])).out).toContain('Everything of Ann is written');
  expect((await readFile(path, 'utf8')).trim().split('\n')).toEqual([
    expect.stringContaining('"recollect":"export"'),
    expect.stringContaining('"memories":0'),
  ]);
  for (const args of [
    ['change', 'Ann'],
    ['change', 'Ann', '--memories', 'many'],
    ['change', 'Ann', '--role', 'king'],
    ['invite', 'Ann', '--again', '--role', 'guest'],
    ['delete', 'Ann'],
    ['export', 'Ann'],
  ])
    expect([args, (await cli.run(['people', ...args])).code]).toEqual([args, 2]);
});
