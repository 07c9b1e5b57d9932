import { limits } from '@recollect/contract/limits';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { restoreMemories } from '../state/changes.js';
import { succeeds } from '../state/status.js';
import type { OpenMemory } from './use-memory.js';

interface Props {
  id: string;
  problem: NonNullable<OpenMemory['problem']>;
}

/** Says that a memory is in the trash or cannot be read. */
export function NoMemory({ id, problem: { text, isGone } }: Props) {
  const [isInTrash, setInTrash] = useState(false);
  useEffect(() => {
    setInTrash(false);
    if (isGone) void findInTrash(id).then(setInTrash, () => {});
  }, [id, isGone]);
  return (
    <div class="empty-state" role="alert">
      <h1>{isGone ? 'This memory is not here.' : 'This memory could not be read.'}</h1>
      <p>{explainGone(isGone ? isInTrash : null) ?? text}</p>
      <div class="form-actions">
        {isInTrash && (
          <Button icon="restore" onClick={() => void succeeds(restoreMemories([id]))}>
            Restore it from the trash
          </Button>
        )}
        <a class="button plain" href="/">
          Show everything
        </a>
      </div>
    </div>
  );
}

function explainGone(isInTrash: boolean | null): string | null {
  if (isInTrash === null) return null;
  return isInTrash
    ? 'It is in the trash.'
    : 'There is no memory at this address. It may have been permanently deleted.';
}

/** Whether a memory is in the trash. */
async function findInTrash(id: string): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await client('listTrash', { query: { cursor, limit: limits.memories.page.maximum } });
    if (page.memories.some((memory) => memory.id === id)) return true;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return false;
}
