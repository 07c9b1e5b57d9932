import { formatOperator } from '@recollect/contract/query-syntax';
import { displayed, readTags } from '@recollect/contract/text';
import { Button, Chip } from '@recollect/ui';
import { useId, useState } from 'preact/hooks';
import { TagOptions } from '../search/tag-options.js';
import { searchAddress } from '../state/query.js';
import { colourOf } from '../state/tag-colours.js';
import { focusOnMount } from './focus-on-mount.js';
import { useReturnFocus } from './use-return-focus.js';

interface Props {
  tags: readonly string[];
  onAdd: (tags: readonly string[]) => Promise<boolean>;
  onRemove: (tags: readonly string[]) => Promise<boolean>;
}

/** The tags of a memory, edited in place. */
export function TagsEditor({ tags, onAdd, onRemove }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const listId = useId();
  const add = async () => {
    const added = readTags(typed ?? '').filter((tag) => !tags.includes(tag));
    if (added.length === 0 || (await onAdd(added))) setTyped(added.length === 0 ? null : '');
  };
  const isEditing = typed !== null;
  const opener = useReturnFocus(isEditing);
  return (
    <div class="reader-tags">
      {tags.map((tag) => (
        <Chip
          key={tag}
          label={tag}
          dot={colourOf(tag) ?? undefined}
          href={searchAddress(formatOperator({ name: 'tag', value: tag }))}
          onRemove={isEditing ? () => void onRemove([tag]) : undefined}
          removeLabel={`Remove tag ${displayed(tag)}`}
        />
      ))}
      {isEditing ? (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.isComposing) setTyped(null);
          }}
        >
          <input
            class="field"
            aria-label="New tag"
            placeholder="Add tags, separated by commas"
            autocomplete="off"
            list={listId}
            value={typed}
            ref={focusOnMount}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <TagOptions id={listId} typed={typed} present={tags} />
          <Button type="submit" variant="primary">
            Add
          </Button>
          <Button onClick={() => setTyped(null)}>Done</Button>
        </form>
      ) : (
        <Button ref={opener} id="edit-tags" variant="quiet" icon="tag" onClick={() => setTyped('')}>
          Edit tags
        </Button>
      )}
    </div>
  );
}
