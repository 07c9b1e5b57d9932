import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { addLink, isLink } from './add-link.js';
import { Dialog } from './dialog.js';
import { isAddOpen, openNote, saveNote } from './note-dialog.js';

interface Props {
  /** Lets the user choose files. */
  onFiles: () => void;
}

/** The dialog that adds a link, a text or files. */
export function AddDialog({ onFiles }: Props) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const isEmpty = typed.trim() === '';
  const close = () => {
    isAddOpen.value = false;
  };
  const add = async () => {
    if (isEmpty) return;
    if (isLink(typed)) {
      close();
      return addLink(typed);
    }
    try {
      await saveNote({ title: '', text: typed, tags: '' });
      close();
    } catch (error) {
      setProblem(explain(error));
    }
  };
  return (
    <Dialog title="Add" onClose={close} class="add">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
        onKeyDown={(event) => {
          const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey || isLink(typed));
          if (!isSubmit || event.isComposing) return;
          event.preventDefault();
          void add();
        }}
      >
        <textarea
          class="field"
          data-first
          dir="auto"
          rows={3}
          aria-label="Link or text"
          placeholder="Paste a link, or write a note"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
          <Button
            icon="upload"
            onClick={() => {
              close();
              onFiles();
            }}
          >
            Choose files
          </Button>
          <Button
            icon="note"
            onClick={() => {
              close();
              openNote();
            }}
          >
            New note
          </Button>
          <Button type="submit" variant="primary" disabled={isEmpty}>
            {isLink(typed) ? 'Save this page' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
