import { type Core, LOCAL_USER } from '@recollect/core';

/** The targets of an attack: a memory that is kept, one in the trash, a highlight and a saved search. */
export interface SeedData {
  keptId: string;
  trashedId: string;
  highlightId: string;
  savedSearchId: string;
  /** An export of another store, with one memory. */
  exported: string;
}

const AT = '2026-01-31T12:00:00.000Z';
const EXPORTED = [
  { recollect: 'export', schema: 1, program: '0.1.0', exportedAt: AT },
  {
    id: '019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f',
    title: 'Imported',
    text: 'imported by an attack',
    turns: null,
    url: null,
    sourceType: 'note',
    sourceApp: 'web',
    captureMode: 'page',
    tags: [],
    note: null,
    metadata: {},
    page: {},
    savedBy: null,
    capturedAt: AT,
    lastCapturedAt: AT,
    updatedAt: AT,
    deletedAt: null,
    highlights: [],
    history: [],
  },
  { recollect: 'end', memories: 1 },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

/** Creates two memories, a key and a plugin for the local user. `text` is the text of the kept memory. */
export async function createSeedData(core: Core, text: string): Promise<SeedData> {
  const { answer } = await core.capture(LOCAL_USER, [
    { title: 'Kept', pageText: text, tags: ['there'] },
    { title: 'Trashed', pageText: 'What was in the trash before.' },
  ]);
  const [kept, trashed] = answer.captures;
  await core.memories.remove(LOCAL_USER, trashed?.id ?? '');
  await core.apiKeys.create(LOCAL_USER, { name: 'there before' });
  await core.plugins.install(LOCAL_USER, { slug: 'counter' });
  const highlight = await core.highlights.create(LOCAL_USER, kept?.id ?? '', { quote: 'there before' });
  const search = await core.savedSearches.create(LOCAL_USER, { name: 'There before', query: 'tag:there' });
  return {
    keptId: kept?.id ?? '',
    trashedId: trashed?.id ?? '',
    highlightId: highlight.id,
    savedSearchId: search.id,
    exported: EXPORTED,
  };
}

/** Everything that an attack could have changed, as text to compare. */
export async function takeSnapshot(
  { memories, apiKeys, indexing, plugins, trash, highlights, savedSearches, sessions }: Core,
  { keptId }: SeedData,
): Promise<string> {
  return JSON.stringify([
    await memories.get(LOCAL_USER, keptId),
    await memories.list(LOCAL_USER, { limit: 100 }),
    await memories.history(LOCAL_USER, keptId),
    await trash.list(LOCAL_USER),
    await highlights.list(LOCAL_USER),
    await savedSearches.list(LOCAL_USER),
    (await apiKeys.list(LOCAL_USER)).apiKeys.map((key) => ({ ...key, lastUsedAt: null })),
    (await sessions.list(LOCAL_USER)).sessions.map((session) => ({ ...session, lastUsedAt: null })),
    await indexing.state(LOCAL_USER),
    await plugins.list(LOCAL_USER),
  ]);
}
