import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../saving/connection.js';
import { messageOf } from '../saving/status.js';

interface Props {
  /** Null if the page is not saved. */
  memoryId: string | null;
  /** Null if this window has made no memory. */
  undo: (() => Promise<void>) | null;
  connection: Connection;
  onProblem: (text: string) => void;
}

type Marks = Pick<MemoryDetail, 'starred' | 'place'>;

/** Opens, takes back, stars or postpones the memory of the page. The row takes up space without one. */
export function MemoryActions({ memoryId, undo, connection, onProblem }: Props) {
  const client = connection.state === 'connected' ? connection.client : null;
  const [marks, setMarks] = useState<Marks | null>(null);

  useEffect(() => {
    setMarks(null);
    if (memoryId === null || client === null) return;
    let isCurrent = true;
    // Without a key, the extension has access by POST and PATCH only. An empty change returns the memory.
    client('updateMemory', { parameters: { id: memoryId }, body: {} }).then(
      (memory) => isCurrent && 'starred' in memory && setMarks(memory),
      // A key that may only save cannot change it. The buttons stay disabled.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [memoryId, client]);

  const change = (patch: Partial<Marks>) => async () => {
    if (memoryId === null || client === null || marks === null) return;
    setMarks({ ...marks, ...patch });
    try {
      await client('updateMemory', { parameters: { id: memoryId }, body: patch });
    } catch (error) {
      setMarks(marks);
      onProblem(`It was not changed: ${messageOf(error)}`);
    }
  };

  const isLater = marks?.place === 'later';
  return (
    <div class={memoryId === null || connection.state !== 'connected' ? 'actions none' : 'actions'}>
      <a
        class="button quiet"
        href={connection.state === 'connected' ? `${connection.baseUrl}/memory/${memoryId}` : ''}
        target="_blank"
        rel="noreferrer"
      >
        Open
      </a>
      <Button variant="quiet" class={undo === null ? 'none' : ''} onClick={() => void undo?.()}>
        Undo
      </Button>
      <Button
        variant="quiet"
        class="star"
        icon="star"
        disabled={marks === null}
        aria-pressed={marks?.starred ?? false}
        onClick={change({ starred: marks?.starred !== true })}
      >
        Star
      </Button>
      <Button
        variant="quiet"
        icon="clock"
        disabled={marks === null}
        aria-pressed={isLater}
        onClick={change({ place: isLater ? 'inbox' : 'later' })}
      >
        Later
      </Button>
    </div>
  );
}
