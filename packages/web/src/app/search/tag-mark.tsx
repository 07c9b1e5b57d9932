import { displayed } from '@recollect/contract/text';
import { lookOf } from '../state/tags.js';

interface Props {
  tag: string;
  /** Whether a tag without an icon and a colour has no mark. */
  isOptional?: boolean;
}

/** The icon of a tag, or else a dot in its colour. */
export function TagMark({ tag, isOptional = false }: Props) {
  const { icon, colour = '' } = lookOf(tag);
  if (icon === undefined) return isOptional && colour === '' ? null : <span class={`tag-dot ${colour}`} />;
  return (
    <span class="tag-icon" aria-hidden="true">
      {displayed(icon)}
    </span>
  );
}
