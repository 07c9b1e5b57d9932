import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { markMemories, starMemories } from '../state/changes.js';
import { succeeds } from '../state/status.js';

/** The star of a memory, and whether it was read. The keys `s` and `m` press them. */
export function ReadingButtons({ memory: { id, starred, readState } }: { memory: MemoryDetail }) {
  const isRead = readState === 'read';
  return (
    <>
      <Button
        id="star"
        variant="quiet"
        icon="star"
        class={starred ? 'starred' : ''}
        aria-label="Star"
        aria-pressed={starred}
        title={starred ? 'Remove the star' : 'Star'}
        onClick={() => void succeeds(starMemories([id], !starred))}
      />
      <Button
        id="mark-read"
        variant="quiet"
        icon="check"
        aria-label="Mark as read"
        aria-pressed={isRead}
        title={isRead ? 'Mark as unread' : 'Mark as read'}
        onClick={() => void succeeds(markMemories([id], isRead ? 'unread' : 'read'))}
      />
    </>
  );
}
