import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { client } from '../api/client.js';
import { memoryToAdd, sharedCollections } from '../state/sharing.js';
import { announce, succeeds } from '../state/status.js';
import { Dialog } from './dialog.js';

/** Adds a memory to a tag of another person who allows it. */
export function AddToSharedDialog() {
  const memoryId = memoryToAdd.value;
  if (memoryId === null) return null;
  const close = () => {
    memoryToAdd.value = null;
  };
  const add = async (id: string, name: string) => {
    await client('addToShared', { parameters: { id }, body: { memoryId } });
    close();
    announce(`Added to ${name}.`);
  };
  return (
    <Dialog title="Add to a shared tag" onClose={close}>
      <p class="soft">Everyone who reads the tag sees the text. It stays yours, without your notes and highlights.</p>
      <ul aria-label="Shared tags" class="settings-list">
        {sharedCollections.value
          .filter(({ mayAdd }) => mayAdd)
          .map(({ id, name, owner }) => (
            <li key={id}>
              <div>
                <bdi>{displayed(name)}</bdi> <span class="soft">of {displayed(owner.name)}</span>
              </div>
              <Button aria-label={`Add to ${displayed(name)}`} onClick={() => void succeeds(add(id, name))}>
                Add
              </Button>
            </li>
          ))}
      </ul>
      <div class="form-actions">
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
