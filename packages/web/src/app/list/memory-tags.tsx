import { formatOperator } from '@recollect/contract/query-syntax';
import { Chip } from '@recollect/ui';
import { searchAddress } from '../state/query.js';
import { colourOf } from '../state/tags.js';

/** The first tags of a memory, each a link to its memories, and the number of further tags. */
export function MemoryTags({ tags, most }: { tags: readonly string[]; most: number }) {
  if (tags.length === 0) return null;
  return (
    <span class="row-tags">
      {tags.slice(0, most).map((tag) => (
        <Chip
          key={tag}
          label={tag}
          dot={colourOf(tag) ?? undefined}
          href={searchAddress(formatOperator({ name: 'tag', value: tag }))}
        />
      ))}
      {tags.length > most && <span>+{tags.length - most}</span>}
    </span>
  );
}
