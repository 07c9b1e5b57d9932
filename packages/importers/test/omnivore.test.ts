import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportPart } from '@recollect/core';
import { createExportReader } from '@recollect/importers';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';

async function read(files: Record<string, unknown>): Promise<ExportPart[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-omnivore-'));
  try {
    const path = join(folder, 'export.zip');
    const content = Object.entries(files).map(([name, file]) => [
      name,
      strToU8(typeof file === 'string' ? file : JSON.stringify(file)),
    ]);
    await writeFile(path, zipSync(Object.fromEntries(content)));
    const parts: ExportPart[] = [];
    for await (const part of createExportReader().read(path, { name: 'export.zip' })) parts.push(part);
    return parts;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const page = (slug: string, more = {}) => ({
  id: slug,
  slug,
  title: `About ${slug}`,
  description: null,
  author: null,
  url: `https://${slug}.example/`,
  state: 'Active',
  readingProgress: 0,
  labels: [],
  savedAt: '2024-03-01T10:00:00.000Z',
  ...more,
});

test('IMP-3: the archive of Omnivore has pages with their texts, highlights, labels and reading states', async () => {
  const parts = await read({
    'omnivore/highlights/tea.md': '> Below boiling #hot\n\nOr it turns bitter',
    'omnivore/content/tea.html': '<div><p>Steep it below boiling.</p></div>',
    'omnivore/content/lost.html': '<p>Listed nowhere</p>',
    'omnivore/content/empty.html': '<div></div>',
    'omnivore/metadata_0_to_2.json': [
      page('tea', {
        author: 'Ann',
        description: 'How to steep',
        labels: ['drink', { name: 'hot water' }],
        readingProgress: 40,
        publishedAt: '2024-02-01T10:00:00.000Z',
      }),
      page('empty', { state: 'Archived', description: 'No text' }),
    ],
    'omnivore/metadata_2_to_4.json': [page('gone', { state: 'Deleted' }), page('bees', { readingProgress: 100 })],
  });
  expect(parts).toMatchObject([
    { program: 'Omnivore' },
    {
      capture: {
        title: 'About tea',
        url: 'https://tea.example/',
        html: '<div><p>Steep it below boiling.</p></div>',
        captureMode: 'page',
        tags: ['drink', 'hot water'],
        note: '> Below boiling #hot\n\nOr it turns bitter',
        capturedAt: '2024-03-01T10:00:00.000Z',
        metadata: { author: 'Ann', published: '2024-02-01T10:00:00.000Z', description: 'How to steep' },
      },
      isReading: true,
    },
    { capture: { title: 'About empty', pageText: 'About empty\n\nNo text' }, isLink: true, isRead: true },
    { program: 'Omnivore' },
    { skipped: 'About gone', reason: 'It is in the trash of Omnivore.' },
    { capture: { url: 'https://bees.example/' }, isLink: true, isRead: true },
    { other: 'omnivore/content/lost.html' },
  ]);
  expect(parts).toHaveLength(7);
});

test('IMP-4: folders of a vault that are called as in Omnivore are read as notes', async () => {
  const parts = await read({ 'highlights/tea.md': 'Tea', 'content/bees.md': 'Bees' });
  expect(parts.filter((part) => 'capture' in part)).toHaveLength(2);
});
