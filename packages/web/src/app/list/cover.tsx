import type { Item } from '../state/library.js';
import { firstLetter, tintOf } from './drawn-cover.js';
import { ServedImage } from './served-image.js';

/** The picture of a memory; or one that is drawn from its title, so that the same memory always looks the same. */
export function Cover({ memory: { id, title, pictureHash } }: { memory: Item }) {
  if (pictureHash !== undefined)
    return (
      <span class="cover">
        <ServedImage src={`/api/v1/memories/${id}/picture?v=${pictureHash}`} />
      </span>
    );
  return (
    <span class={`cover tint-${tintOf(title)}`} aria-hidden="true">
      {firstLetter(title)}
    </span>
  );
}
