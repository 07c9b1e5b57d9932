import { displayed } from '@recollect/contract/text';
import { lookOf } from '../state/tags.js';

/** The icon of a tag, or else a dot in its colour. */
export function TagMark({ tag }: { tag: string }) {
  const { icon, colour = '' } = lookOf(tag);
  if (icon === undefined) return <span class={`tag-dot ${colour}`} />;
  return (
    <span class="tag-icon" aria-hidden="true">
      {displayed(icon)}
    </span>
  );
}
