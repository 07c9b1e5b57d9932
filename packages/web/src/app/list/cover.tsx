import type { Item } from '../state/library.js';
import { firstLetter, tintOf } from './drawn-cover.js';

/** The picture of a memory: drawn from its title, so that the same memory always looks the same. */
export function Cover({ memory: { title } }: { memory: Item }) {
  return (
    <span class={`cover tint-${tintOf(title)}`} aria-hidden="true">
      {firstLetter(title)}
    </span>
  );
}
