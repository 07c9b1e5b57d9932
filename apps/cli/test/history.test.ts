import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

test('MEM-10: history shows and restores what a memory was, and the restoration can be undone', async () => {
  const id = await cli.save('Tea is stepped.', '--tag', 'todo', '--note', 'fix this');
  await cli.json(['edit', id, '--title', 'Tea', '--text', '-'], 'Tea is steeped.');
  expect((await cli.run(['history', id, '--show', '0'])).out).toMatch(
    /^Tea is stepped\.\nas: it was saved, \S+ \d\d:\d\d\ntags: todo\nnote: fix this\n\nTea is stepped\.\n$/,
  );
  expect((await cli.run(['history', id])).out).toMatch(/ changed title, text.*\n {3}title was: Tea is stepped\.\n0 /);
  const restored = await cli.run(['history', id, '--restore', '0']);
  expect(restored.out).toMatch(
    new RegExp(`^Restored Tea is stepped\\. ${id} as it was saved\nUndo with: recollect undo \\S+\n$`),
  );
  expect(await cli.json(['history', id, '--show', '2'])).toMatchObject({ number: 2, text: 'Tea is stepped.' });
  expect((await cli.run(['history', id, '--restore', '2'])).out).toMatch(/^Nothing was changed: /);
  await cli.run(['undo', /undo (\S+)/.exec(restored.out)?.[1] ?? '']);
  expect(await cli.json(['show', id])).toMatchObject({ title: 'Tea', text: 'Tea is steeped.' });
  expect(await cli.run(['history', id, '--show', '9'])).toEqual({
    code: 1,
    out: '',
    err: `The history of this memory has no change with this number. recollect history ${id} lists what is kept.\n`,
  });
});

test('MEM-11: history lists the versions of a page, and search counts them', async () => {
  const first = await cli.save('Granite in summer.', '--url', 'https://news.example/a');
  const second = await cli.save('Granite in autumn.', '--url', 'https://news.example/a#top');
  expect((await cli.run(['history', second])).out).toMatch(
    new RegExp(
      `2 versions of this page:\n\\S+ \\S+  Granite in autumn\\., 18 characters, this one ${second}\n.*18 characters ${first}\n$`,
    ),
  );
  const found = (await cli.run(['search', 'granite', 'summer'])).out;
  expect(found).toContain(`${first} 2 versions\n`);
  expect(found).not.toContain(second);
});

test('CLI-1: history takes one number of one kind', async () => {
  for (const args of [
    ['--restore', '-1'],
    ['--show', '1', '--restore', '1'],
  ]) {
    const { code, out, err } = await cli.run(['history', 'any', ...args]);
    expect([args, code, out, err]).toEqual([args, 2, '', expect.stringMatching(/--show|--restore/)]);
  }
});
