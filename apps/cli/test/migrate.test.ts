import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';
import { canMount, mountSmallDisk } from './small-disk.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

test('CLI-13, REL-16: moves the store, and commands refuse the former one and say where the memories are', async () => {
  await cli.run(['capture', '-'], { input: 'Bees dance to show the way.' });
  const target = `sqlite:${join(cli.folder, 'moved', 'second.db')}`;
  const { code, out, err } = await cli.run(['migrate', '--to', target]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`Moved 1 memory to ${target}.`);
  const refused = await cli.run(['recent']);
  expect(refused.code).toBe(78);
  expect(refused.err).toContain(`The memories are in ${target}. Set RECOLLECT_DATABASE_URL to it.`);
  expect(refused.err).toContain(`delete the file ${join(cli.folder, 'data', 'recollect.db-move')}.`);
  expect((await cli.run(['doctor'])).out).toContain(`This store was moved. The memories are in ${target}.`);
  const moved = await cli.run(['search', 'dance'], { env: { RECOLLECT_DATABASE_URL: target } });
  expect(moved.out).toContain('Bees dance');
  const back = `sqlite:${join(cli.folder, 'third.db')}`;
  expect(await cli.json(['migrate', '--from', target, '--to', back])).toMatchObject({
    location: back,
    rows: { memories: 1, chunks: 1 },
  });
});

test('CLI-13: names the option of a store that cannot be used', async () => {
  const nothing = 'postgres://ann:secret@127.0.0.1:1/recollect';
  const empty = join(cli.folder, 'empty.db');
  const cases: [args: string[], code: number, message: string][] = [
    [['--to', 'mysql://ann:secret@host/db'], 2, '--to must be postgres://'],
    [['--to', `sqlite:${join(cli.folder, 'data', 'recollect.db')}`], 78, 'are the same store'],
    [['--to', `sqlite:${empty}`], 78, '--from: There is no store yet.'],
    [[], 2, '--to'],
  ];
  for (const [args, code, message] of cases) {
    const result = await cli.run(['migrate', ...args]);
    expect([args, result.code, result.err]).toEqual([args, code, expect.stringContaining(message)]);
    expect(result.err).not.toContain('secret');
  }
  await cli.run(['capture', '-'], { input: 'Bees dance.' });
  const { code, err } = await cli.run(['migrate', '--to', nothing]);
  expect([code, err]).toEqual([78, expect.stringMatching(/^--to: The database server cannot be reached/)]);
  expect((await cli.run(['recent'])).out).toContain('Bees dance');
});

test.skipIf(!canMount())(
  'CLI-13: says that the disk of the target is full, and continues when it has room',
  async () => {
    const disk = mountSmallDisk(6) ?? expect.fail();
    try {
      await cli.run(['capture', '-'], { input: 'Bees dance to show the way. '.repeat(40_000) });
      const target = `sqlite:${join(disk.folder, 'small.db')}`;
      disk.fill();
      const { code, err } = await cli.run(['migrate', '--to', target]);
      expect([code, err]).toEqual([1, expect.stringContaining('disk that holds the store is full')]);
      disk.free();
      expect((await cli.run(['migrate', '--to', target])).code).toBe(0);
    } finally {
      disk.remove();
    }
  },
);
