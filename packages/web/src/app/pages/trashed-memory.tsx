import type { TrashAnswer } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { client } from '../api/client.js';
import { Dialog } from '../dialogs/dialog.js';
import { MarkdownText } from '../dialogs/markdown-text.js';
import { useResource } from '../state/use-resource.js';

interface Props {
  memory: TrashAnswer['memories'][number];
  onClose: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

/** A memory in the trash, with its text. */
export function TrashedMemory({ memory: { id, title }, onClose, onRestore, onDelete }: Props) {
  const { value, problem } = useResource(() => client('trashedMemory', { parameters: { id } }));
  return (
    <Dialog title={displayed(title)} onClose={onClose} class="wide">
      {value !== null && <MarkdownText name="Text" text={value.text} />}
      {problem !== '' && <p role="alert">{problem}</p>}
      <div class="form-actions">
        <Button variant="danger" icon="trash" onClick={onDelete}>
          Delete permanently
        </Button>
        <Button variant="primary" icon="restore" onClick={onRestore}>
          Restore
        </Button>
      </div>
    </Dialog>
  );
}
