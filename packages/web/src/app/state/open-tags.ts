import { effect, signal } from '@preact/signals';
import { tagKey } from '@recollect/contract/text';
import { ownName } from '../api/base-path.js';

const STORAGE_KEY = ownName('recollect-open-tags');

/** The keys of the tags whose branches are open, which this browser keeps. */
const openTags = signal<ReadonlySet<string>>(read());

effect(() => {
  if (openTags.value.size === 0) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, JSON.stringify([...openTags.value]));
});

/** Whether the tags below a tag are shown. */
export function isTagOpen(tag: string): boolean {
  return openTags.value.has(tagKey(tag));
}

/** Shows or hides the tags below a tag. */
export function toggleTag(tag: string): void {
  const next = new Set(openTags.value);
  if (!next.delete(tagKey(tag))) next.add(tagKey(tag));
  openTags.value = next;
}

function read(): Set<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []);
  } catch {
    return new Set();
  }
}
