import { type Core, LOCAL_USER } from '@recollect/core';

/** Memories that an attack tries to change: one that is kept, and one in the trash. */
export interface SeedData {
  keptId: string;
  trashedId: string;
}

/** Creates two memories, a key and a plugin for the local user. `text` is the text of the kept memory. */
export async function createSeedData(core: Core, text: string): Promise<SeedData> {
  const { answer } = await core.capture(LOCAL_USER, [
    { title: 'Kept', pageText: text },
    { title: 'Trashed', pageText: 'What was in the trash before.' },
  ]);
  const [kept, trashed] = answer.captures;
  await core.memories.remove(LOCAL_USER, trashed?.id ?? '');
  await core.apiKeys.create(LOCAL_USER, { name: 'there before' });
  await core.plugins.install(LOCAL_USER, { slug: 'counter' });
  return { keptId: kept?.id ?? '', trashedId: trashed?.id ?? '' };
}

/** Everything that an attack could have changed, as text to compare. */
export async function takeSnapshot(
  { memories, apiKeys, indexing, plugins }: Core,
  { keptId }: SeedData,
): Promise<string> {
  return JSON.stringify([
    await memories.get(LOCAL_USER, keptId),
    await memories.list(LOCAL_USER, { limit: 100 }),
    await apiKeys.list(LOCAL_USER),
    await indexing.state(LOCAL_USER),
    await plugins.list(LOCAL_USER),
  ]);
}
