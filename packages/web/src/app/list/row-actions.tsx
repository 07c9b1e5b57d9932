import { displayed } from '@recollect/contract/text';
import { places } from '@recollect/contract/vocabulary';
import { Button, Icon } from '@recollect/ui';
import { askToAddTags } from '../dialogs/selected-memories.js';
import { deleteMemories, moveMemories, starMemories } from '../state/changes.js';
import type { Item } from '../state/library.js';
import { placeLabels } from '../state/places.js';
import { succeeds } from '../state/status.js';

/** The actions for a memory of a list without opening it. Keys do the same, so that Tab goes from memory to memory. */
export function RowActions({ memory: { id, title, url, starred, place } }: { memory: Item }) {
  const name = displayed(title);
  return (
    <span class="row-actions">
      <span class="row-more">
        {url !== null && (
          <a
            class="button quiet icon-only"
            href={url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            tabIndex={-1}
            aria-label={`Open original of ${name}`}
            title="Open original"
          >
            <Icon name="open" />
          </a>
        )}
        {places
          .filter((other) => other !== place)
          .map((other) => (
            <Button
              key={other}
              variant="quiet"
              icon={placeLabels[other].icon}
              tabIndex={-1}
              aria-label={`Move ${name} to ${placeLabels[other].name}`}
              title={`Move to ${placeLabels[other].name}`}
              onClick={() => void succeeds(moveMemories([id], other))}
            />
          ))}
        <Button
          variant="quiet"
          icon="tag"
          tabIndex={-1}
          aria-label={`Add tag to ${name}`}
          title="Add tag"
          onClick={() => askToAddTags([id])}
        />
        <Button
          variant="quiet"
          icon="trash"
          tabIndex={-1}
          aria-label={`Delete ${name}`}
          title="Delete"
          onClick={() => void succeeds(deleteMemories([id]))}
        />
      </span>
      <Button
        variant="quiet"
        icon="star"
        class={starred ? 'row-star starred' : 'row-star'}
        tabIndex={-1}
        aria-label={`Star ${name}`}
        aria-pressed={starred}
        title={starred ? 'Remove the star' : 'Star'}
        onClick={() => void succeeds(starMemories([id], !starred))}
      />
    </span>
  );
}
