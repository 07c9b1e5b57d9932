import type { Image } from '@recollect/contract';
import { toImage } from '@recollect/core';
import type { Database } from '../dialect.js';

/** The pictures of memories as an export has them, by memory. */
export async function readImages(
  { reader, list }: Pick<Database, 'reader' | 'list'>,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, { picture?: Image; favicon?: Image }>> {
  const own = await reader
    .selectFrom('memory_pictures as link')
    .innerJoin('pictures', (join) =>
      join.onRef('pictures.user_id', '=', 'link.user_id').onRef('pictures.hash', '=', 'link.hash'),
    )
    .select(['link.memory_id', 'type', 'bytes'])
    .where('link.user_id', '=', userId)
    .where('link.memory_id', 'in', list.texts(ids))
    .execute();
  const ofSites = await reader
    .selectFrom('memories')
    .innerJoin('site_favicons as link', (join) =>
      join.onRef('link.user_id', '=', 'memories.user_id').onRef('link.site', '=', 'memories.site'),
    )
    .innerJoin('pictures', (join) =>
      join.onRef('pictures.user_id', '=', 'link.user_id').onRef('pictures.hash', '=', 'link.hash'),
    )
    .select(['memories.id', 'type', 'bytes'])
    .where('memories.user_id', '=', userId)
    .where('memories.id', 'in', list.texts(ids))
    .execute();
  const images = new Map<string, { picture?: Image; favicon?: Image }>();
  for (const { memory_id: id, ...picture } of own) images.set(id, { picture: toImage(picture) });
  for (const { id, ...favicon } of ofSites) images.set(id, { ...images.get(id), favicon: toImage(favicon) });
  return images;
}
