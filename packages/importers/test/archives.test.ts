import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ExportedItem, ExportPart } from '@recollect/core';
import { createExportReader } from '@recollect/importers';
import { strToU8, zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-archives-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readAt(path: string): Promise<ExportPart[]> {
  const parts: ExportPart[] = [];
  for await (const part of createExportReader().read(path, { name: path.slice(folder.length + 1) })) parts.push(part);
  return parts;
}

async function read(name: string, bytes: Uint8Array): Promise<ExportPart[]> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return readAt(path);
}

const itemsOf = (parts: readonly ExportPart[]) => parts.filter((part): part is ExportedItem => 'capture' in part);
const programsOf = (parts: readonly ExportPart[]) => parts.flatMap((part) => ('program' in part ? [part.program] : []));
const byTitle = (parts: readonly ExportPart[]): Record<string, ExportedItem> =>
  Object.fromEntries(itemsOf(parts).map((item) => [item.capture.title, item]));

const ids = { note: '1', task: '2', secret: '3', gone: '4', book: 'a', inner: 'b', tag: 'c', pair: 'd' };
const id = (key: keyof typeof ids) => ids[key].repeat(32);
const entry = (title: string, body: string, properties: Record<string, string | number>) =>
  [
    title,
    '',
    ...(body === '' ? [] : [body, '']),
    ...Object.entries(properties).map(([key, value]) => `${key}: ${value}`),
  ].join('\n');
const TIMES = { created_time: '2023-01-02T03:04:05.006Z', user_created_time: '2022-05-06T07:08:09.010Z' };
const JOPLIN = {
  [`${id('note')}.md`]: entry('Weir', `Oak gates, see [the map](:/${'e'.repeat(32)}) and ![](:/${'f'.repeat(32)})`, {
    id: id('note'),
    parent_id: id('inner'),
    ...TIMES,
    source_url: 'https://weir.example/',
    type_: 1,
  }),
  [`${id('task')}.md`]: entry('Oil the hinges', '', {
    id: id('task'),
    parent_id: '',
    ...TIMES,
    is_todo: 1,
    todo_completed: 5,
    type_: 1,
  }),
  [`${id('secret')}.md`]: entry('', '', { id: id('secret'), encryption_applied: 1, type_: 1 }),
  [`${id('gone')}.md`]: entry('Old', 'Old words', { id: id('gone'), deleted_time: 1_700_000_000_000, type_: 1 }),
  [`${id('book')}.md`]: entry('Rivers', '', { id: id('book'), parent_id: '', type_: 2 }),
  [`${id('inner')}.md`]: entry('Thames', '', { id: id('inner'), parent_id: id('book'), type_: 2 }),
  [`${id('tag')}.md`]: entry('timber', '', { id: id('tag'), type_: 5 }),
  [`${id('pair')}.md`]: entry('', '', { id: id('pair'), note_id: id('note'), tag_id: id('tag'), type_: 6 }).trimStart(),
};

test('IMP-4: the archive of Joplin has notes with notebooks, tags, tasks, addresses and times', async () => {
  const files = Object.entries(JOPLIN).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body) },
    body,
  }));
  const jex = await packTar([...files, { header: { name: 'resources/x.png', size: 3 }, body: 'png' }]);
  const parts = await read('notes.jex', jex);
  expect(new Set(programsOf(parts))).toEqual(new Set(['Joplin']));
  const { Weir, ...others } = byTitle(parts);
  expect(Weir?.capture).toMatchObject({
    pageText: '# Weir\n\nOak gates, see the map and',
    url: 'https://weir.example/',
    tags: ['timber', 'Rivers/Thames'],
    capturedAt: '2022-05-06T07:08:09.010Z',
    metadata: { folder: 'Rivers/Thames' },
  });
  expect(Object.values<ExportedItem>(others).map((item) => item.capture.pageText)).toEqual(['- [x] Oil the hinges']);
  expect(parts.flatMap((part) => ('skipped' in part ? [part.reason] : []))).toEqual([
    expect.stringContaining('encrypted'),
    'It is in the trash of Joplin.',
  ]);
  expect(parts.flatMap((part) => ('other' in part ? [part.other] : []))).toEqual(['resources/x.png']);
});

test('IMP-1: an archive of tar in gzip is read, and a cut-off one up to where it ends', async () => {
  const entries = ['Oak', 'Elm'].map((body) => ({
    header: { name: `${body}.md`, size: 3, mtime: new Date('2020-01-02T03:04:05Z') },
    body,
  }));
  const tar = await packTar(entries);
  const whole = itemsOf(await read('notes.tgz', gzipSync(tar)));
  expect(whole.map(({ capture, changedAt }) => [capture.pageText, changedAt])).toEqual([
    ['Oak', '2020-01-02T03:04:05.000Z'],
    ['Elm', '2020-01-02T03:04:05.000Z'],
  ]);
  await expect(read('cut.tar', tar.subarray(0, 700))).rejects.toThrow('damaged or incomplete');
});

test('IMP-3: the archive of Matter has pages with their texts and states, and highlights', async () => {
  const history = [
    'Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight Count,Last Interaction Date,File Id',
    'Oak gates,Ann,Weir Weekly,https://oak.example/,"timber,water",120,True,True,False,1,2023-04-05 06:07:08,f1',
    'Elm,,,https://elm.example/,,0,False,False,True,0,2023-04-05,f2',
  ].join('\n');
  const highlights =
    'Title,Author,Publisher,Text,Highlighted Date\nOak gates,Ann,Weir Weekly,Oak lasts in water.,2023-04-06\n';
  const parts = await read(
    'Archive.zip',
    zipSync({
      '_matter_history.csv': strToU8(history),
      '_matter_highlights.csv': strToU8(highlights),
      'f1.html': strToU8('<p>Oak lasts in water for a hundred years.</p>'),
    }),
  );
  expect(itemsOf(parts)).toMatchObject([
    {
      capture: { url: 'https://oak.example/', html: expect.stringContaining('hundred'), tags: ['timber', 'water'] },
      isStarred: true,
    },
    { capture: { url: 'https://elm.example/', capturedAt: '2023-04-05T12:00:00.000Z' }, isLink: true, isRead: true },
    { capture: { selection: expect.stringMatching(/^Oak lasts in water\.\n/) } },
  ]);
});

test('IMP-1: a folder is read with its notes, texts, pages, documents and exports, and their times', async () => {
  const vault = join(folder, 'vault');
  const files: Record<string, string | Uint8Array> = {
    'Oak.md': '# Oak\n\nIt lasts in water.',
    'Daily/2023-11-05.md': 'Shut the gate.',
    'list.txt': 'Nails, oil, rope for the gate.',
    'page.html': '<title>Page</title><p>A page about gates.</p>',
    'data.json': '{"gates": 3}',
    'empty.txt': ' \n',
    '.obsidian/app.json': '{}',
    'node_modules/x/readme.md': 'Not written by the user.',
    'picture.png': Uint8Array.from([1, 2]),
    'scan.pdf': '%PDF-1.7 of which the text is read later',
    'Bookmarks.zip': zipSync({
      'bookmarks.html': strToU8('<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A></DL>'),
    }),
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(vault, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    await utimes(path, new Date('2021-02-03T04:05:06Z'), new Date('2021-02-03T04:05:06Z'));
  }
  const parts = await readAt(vault);
  expect(
    itemsOf(parts).map(({ capture, changedAt }) => [capture.fileName ?? capture.url, changedAt?.slice(0, 10)]),
  ).toEqual([
    ['https://a.example/', undefined],
    ['Daily/2023-11-05.md', '2021-02-03'],
    ['Oak.md', '2021-02-03'],
    ['list.txt', '2021-02-03'],
    ['page.html', '2021-02-03'],
    ['scan.pdf', '2021-02-03'],
  ]);
  expect(parts.flatMap((part) => ('other' in part ? [part.other] : []))).toEqual(['data.json', 'picture.png']);
  expect(parts.flatMap((part) => ('skipped' in part ? [part.reason] : []))).toEqual(['The file is empty.']);
});

test('IMP-1: a file with a password is skipped with the reason, and the others are read', async () => {
  const archive = zipSync({ 'open.md': strToU8('Open'), 'shut.md': strToU8('Shut') });
  // The flag of an encrypted file, before its data and in the list at the end.
  const bytes = Buffer.from(archive);
  for (const [mark, flags] of [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ] as const) {
    const at = bytes.indexOf(mark, bytes.indexOf(mark) + 1, 'latin1');
    bytes.writeUInt16LE(bytes.readUInt16LE(at + flags) | 1, at + flags);
  }
  const parts = await read('half.zip', bytes);
  expect(itemsOf(parts).map(({ capture }) => capture.pageText)).toEqual(['Open']);
  expect(parts).toContainEqual({ failed: 'shut.md', reason: 'It is protected by a password.' });
});

test('IMP-1: a page that SingleFile saved is one in an archive, and other pages there are left out', async () => {
  const saved = '<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://oak.example/ \n--><p>Oak.</p>';
  const archive = zipSync({ 'Oak.html': strToU8(saved), 'index.html': strToU8('<p>An index.</p>') });
  const parts = await read('pages.zip', archive);
  expect(itemsOf(parts).map(({ capture }) => [capture.fileName, capture.html])).toEqual([['Oak.html', saved]]);
  expect(parts).toContainEqual({ other: 'index.html', isText: true });
});
