import { readTagField, TagField } from '@recollect/ui/tag-field';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../saving/connection.js';
import { useKnownTags } from '../saving/use-known-tags.js';

/** More would cover the search above the field. */
const MAX_OFFERED = 5;

interface Props {
  /** As typed, separated by commas. */
  tags: string;
  onTags: (tags: string) => void;
  connection: Connection;
}

/** The field for tags, which completes the tags of the server. A label outside names the input `tags`. */
export function TagsField({ tags, onTags, connection }: Props) {
  const root = useRef<HTMLSpanElement>(null);
  const [isUsed, setUsed] = useState(false);
  const { chosen, typed } = readTagField(tags);
  const client = connection.state === 'connected' ? connection.client : null;
  const known = useKnownTags(isUsed ? client : null, typed);

  useLayoutEffect(() => {
    // The chips are one line, which scrolls, so that nothing moves.
    if (chosen.length > 0)
      root.current?.querySelector('.tag-chips > :last-child')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen.length]);

  return (
    <span ref={root} class="tags">
      <TagField
        label="Tags"
        inputId="tags"
        placeholder={chosen.length === 0 ? 'Add tags' : ''}
        value={tags}
        onValue={onTags}
        known={known}
        maxOffered={MAX_OFFERED}
        isFloating
        onFocus={() => setUsed(true)}
      />
    </span>
  );
}
