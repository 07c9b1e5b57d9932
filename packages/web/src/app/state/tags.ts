import { computed, signal } from '@preact/signals';
import { tagKey } from '@recollect/contract/text';
import { ownName } from '../api/base-path.js';
import { client } from '../api/client.js';
import { createResource } from './resource.js';

const STORAGE_KEY = ownName('recollect-tag-colours');

/** The colours that a tag can have. */
export const tagColours = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
type TagColour = (typeof tagColours)[number];

const colours = signal<Readonly<Record<string, TagColour>>>(read());

/** The colour that the user chose for a tag in this browser; null for none. */
export function colourOf(tag: string): TagColour | null {
  return colours.value[tagKey(tag)] ?? null;
}

/** Chooses the colour of a tag, and keeps the choice in this browser. */
export function chooseColour(tag: string, colour: TagColour | null): void {
  const { [tagKey(tag)]: _, ...others } = colours.value;
  colours.value = colour === null ? others : { ...others, [tagKey(tag)]: colour };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(colours.value));
}

function read(): Record<string, TagColour> {
  try {
    const stored = Object.entries(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, unknown>);
    return Object.fromEntries(
      stored.flatMap(([key, value]) => {
        const colour = tagColours.find((known) => known === value);
        return colour === undefined ? [] : [[key, colour]];
      }),
    );
  } catch {
    return {};
  }
}

/** All tags, as the server lists them. */
export const tagList = createResource(() => client('listTags', {}));

/** All tags, the most frequent first. Null before they were read. */
export const tags = computed(() => tagList.value.value?.tags ?? null);
