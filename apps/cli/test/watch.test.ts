import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isWatchedFile } from '../src/watch/watch-folder.js';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
let notes: string;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  notes = join(cli.folder, 'notes');
  await mkdir(join(notes, 'drinks'), { recursive: true });
});
afterEach(() => cli.remove());

/** Starts watching, and waits until what is there is saved. */
async function watch() {
  const child = cli.start(['watch', 'notes', '--tag', 'vault']);
  let out = '';
  child.stdout?.on('data', (text) => {
    out += text;
  });
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  const said = (text: string) => expect.poll(() => out + err, { timeout: 120_000, interval: 50 }).toContain(text);
  await said('Watching 1 folder.');
  return {
    said,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      expect(await ended, err).toBe(0);
      return out;
    },
  };
}

const list = async () => {
  const { memories } = await cli.json(['recent']);
  return memories.map(({ id, title, tags }: { id: string; title: string; tags: string[] }) => ({ id, title, tags }));
};
const textOf = async (id: string) => (await cli.json(['show', id])).text;

test('IMP-10: a watched folder is kept in step through changes, renames and deletions, and after a pause', async () => {
  const tea = join(notes, 'drinks', 'Tea.md');
  await writeFile(tea, 'Steep it. #green');
  await writeFile(join(notes, 'log.txt'), 'The first line of a log.');
  await writeFile(join(notes, '.hidden.md'), 'Hidden.');
  const first = await watch();
  expect((await list()).map(({ title }: { title: string }) => title).sort()).toEqual(['Tea', 'log']);
  const { id } = (await list()).find(({ title }: { title: string }) => title === 'Tea');
  expect((await list()).find((one: { id: string }) => one.id === id).tags.sort()).toEqual(['green', 'vault']);
  await cli.json(['edit', id, '--tag', 'mine']);

  // As editors save: into another file that takes the place of the first.
  await writeFile(join(notes, 'drinks', 'Tea.md.tmp'), 'Steep it for two minutes. #white');
  await rename(join(notes, 'drinks', 'Tea.md.tmp'), tea);
  await first.said('Updated drinks/Tea.md');
  expect(await textOf(id)).toBe('Steep it for two minutes. #white');
  expect((await list()).find((one: { id: string }) => one.id === id).tags.sort()).toEqual(['mine', 'vault', 'white']);

  await rename(tea, join(notes, 'Brew.md'));
  await first.said('Renamed Brew.md');
  expect(await cli.json(['show', id])).toMatchObject({ title: 'Brew', metadata: { fileName: 'Brew.md' } });
  await rm(join(notes, 'log.txt'));
  await first.said('Moved to the trash: log.txt');
  await first.stop();

  // Changes made while nothing watched.
  await writeFile(join(notes, 'Brew.md'), 'Steep it for three minutes.');
  const second = await watch();
  expect(await list()).toMatchObject([{ id, title: 'Brew' }]);
  expect(await textOf(id)).toBe('Steep it for three minutes.');
  await rm(join(notes, 'Brew.md'));
  await second.said('Moved to the trash: Brew.md');
  await writeFile(join(notes, 'Steeping.md'), 'Steep it for three minutes.');
  await second.said('Renamed Steeping.md');
  expect(await list()).toMatchObject([{ id, title: 'Steeping' }]);
  await second.stop();
});

test('IMP-10: a folder that has disappeared takes no memories with it, and a file that cannot be read is named', async () => {
  for (const name of ['One', 'Two']) await writeFile(join(notes, `${name}.md`), `Note ${name}.`);
  await writeFile(join(notes, 'broken.pdf'), '%PDF-1.7\n\0');
  const first = await watch();
  await first.said('Skipped broken.pdf: The PDF is damaged or incomplete.');
  await first.stop();
  await rename(notes, join(cli.folder, 'elsewhere'));
  await mkdir(notes);
  const second = await watch();
  await second.said('is missing or empty. Its memories stay unchanged.');
  await second.stop();
  expect(await list()).toHaveLength(2);
});

test('IMP-10: a server keeps the folders of its setting in step', async () => {
  await writeFile(join(notes, 'Tea.md'), 'Steep it.');
  const server = cli.start(['serve'], { RECOLLECT_WATCH: 'notes' });
  await expect.poll(async () => (await list()).length, { timeout: 120_000 }).toBe(1);
  await writeFile(join(notes, 'Mate.md'), 'Pour it.');
  await expect.poll(async () => (await list()).length, { timeout: 120_000 }).toBe(2);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('IMP-10: leaves out what editors and synchronisers write beside a file', () => {
  const names = [
    'Tea.md',
    'a b.PDF',
    'x.org',
    '.#Tea.md',
    '~$Tea.docx',
    'Tea.md~',
    '#Tea.md#',
    'Tea.md.tmp',
    '.Tea.md.swp',
    '4913',
  ];
  expect(names.filter(isWatchedFile)).toEqual(['Tea.md', 'a b.PDF', 'x.org']);
});
