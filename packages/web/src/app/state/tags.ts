import { computed, signal } from '@preact/signals';
import type { TagLook, TagLookBody } from '@recollect/contract';
import { tagKey } from '@recollect/contract/text';
import { client } from '../api/client.js';
import { createResource } from './resource.js';

/** All tags, as the server lists them. */
export const tagList = createResource(() => client('listTags', {}));

/** All tags, the most frequent first. Null before they were read. */
export const tags = computed(() => tagList.value.value?.tags ?? null);

type Look = Omit<TagLook, 'tag'>;

/** The icons and colours of tags, by their keys. */
const looks = computed(() => {
  const { tags: all = [], parents = [] } = tagList.value.value ?? {};
  return new Map([...all, ...parents].map((tag): [string, Look] => [tagKey(tag.tag), tag]));
});

/** The icon and the colour that the user chose for a tag. */
export function lookOf(tag: string): Look {
  return looks.value.get(tagKey(tag)) ?? {};
}

/** The tag whose icon and colour the open dialog chooses; null while it is closed. */
export const lookedTag = signal<string | null>(null);

/** Changes the icon or the colour of a tag. Throws as the client does. */
export async function changeLook(body: TagLookBody): Promise<void> {
  await client('changeTagLook', { body });
  await tagList.load();
}
