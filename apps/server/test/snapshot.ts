import { type Core, LOCAL_USER } from '@recollect/core';

/** What an attack tries to change: a memory that is kept, one in the trash, and a highlight. */
export interface SeedData {
  keptId: string;
  trashedId: string;
  highlightId: string;
}

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
  return { keptId: kept?.id ?? '', trashedId: trashed?.id ?? '', highlightId: highlight.id };
}

/** Everything that an attack could have changed, as text to compare. */
export async function takeSnapshot(
  { memories, apiKeys, indexing, plugins, trash, highlights, sessions }: Core,
  { keptId }: SeedData,
): Promise<string> {
  return JSON.stringify([
    await memories.get(LOCAL_USER, keptId),
    await memories.list(LOCAL_USER, { limit: 100 }),
    await memories.history(LOCAL_USER, keptId),
    await trash.list(LOCAL_USER),
    await highlights.list(LOCAL_USER),
    (await apiKeys.list(LOCAL_USER)).apiKeys.map((key) => ({ ...key, lastUsedAt: null })),
    (await sessions.list(LOCAL_USER)).sessions.map((session) => ({ ...session, lastUsedAt: null })),
    await indexing.state(LOCAL_USER),
    await plugins.list(LOCAL_USER),
  ]);
}
