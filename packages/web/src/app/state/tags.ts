import { computed } from '@preact/signals';
import { client } from '../api/client.js';
import { createResource } from './resource.js';

/** All tags, as the server lists them. */
export const tagList = createResource(() => client('listTags', {}));

/** All tags, the most frequent first. Null before they were read. */
export const tags = computed(() => tagList.value.value?.tags ?? null);
