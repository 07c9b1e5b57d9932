import { formatOperator } from '@recollect/contract/query-syntax';
import { displayed } from '@recollect/contract/text';
import { TagMark } from '../search/tag-mark.js';
import { searchAddress } from '../state/query.js';

/** The first tags of a memory, each a link to its memories, and the number of further tags. */
export function MemoryTags({ tags, most }: { tags: readonly string[]; most: number }) {
  if (tags.length === 0) return null;
  return (
    <span class="row-tags">
      {tags.slice(0, most).map((tag) => (
        <a key={tag} class="row-tag" href={searchAddress(formatOperator({ name: 'tag', value: tag }))}>
          <TagMark tag={tag} isOptional />
          <bdi>{displayed(tag)}</bdi>
        </a>
      ))}
      {tags.length > most && <span>+{tags.length - most}</span>}
    </span>
  );
}
