import { signal } from '@preact/signals';
import type { TagList } from '@recollect/contract';
import { client } from '../api/client.js';

/** All tags, the most frequent first. Null before they were read. */
export const tags = signal<TagList['tags'] | null>(null);

/** Reads all tags again. Throws as the client does. */
export async function loadTags(): Promise<void> {
  tags.value = (await client('listTags', {})).tags;
}
