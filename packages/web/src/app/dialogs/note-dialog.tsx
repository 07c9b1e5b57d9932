import { signal } from '@preact/signals';
import { readTags } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { deleteMemories } from '../state/changes.js';
import { loadList } from '../state/load-list.js';
import { announce } from '../state/status.js';
import { Dialog } from './dialog.js';

const DRAFT = 'recollect-note';

interface Draft {
  text: string;
  tags: string;
}

const isOpen = signal(false);

/** Opens the dialog for a new note. */
export function openNote(): void {
  isOpen.value = true;
}

/** The dialog for a new note. What is typed is kept in the browser until it is saved. */
export function NoteDialog() {
  return isOpen.value ? <NoteForm /> : null;
}

function NoteForm() {
  const [draft, setDraft] = useState(readDraft);
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  // Kept at once: the dialog may be closed before an effect would run.
  const change = (next: Draft) => {
    setDraft(next);
    keepDraft(next);
  };

  const close = () => {
    isOpen.value = false;
  };
  const save = async () => {
    if (draft.text.trim() === '' || isSaving) return;
    setSaving(true);
    try {
      const tags = readTags(draft.tags);
      const { captures } = await client('capture', { body: { pageText: draft.text, sourceApp: 'web', tags } });
      const [saved] = captures;
      change({ text: '', tags: '' });
      close();
      const isNew = saved?.status === 'created';
      announce(
        isNew ? 'Saved.' : 'This text was saved before.',
        isNew && saved !== undefined ? () => deleteMemories([saved.id]) : undefined,
      );
      await loadList();
    } catch (error) {
      setProblem(`${explain(error)} Your note is kept here.`);
    } finally {
      setSaving(false);
    }
  };

  return (
    <Dialog title="New note" onClose={close} class="wide">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      >
        <label class="form-field">
          <span>Text, in Markdown if you like</span>
          <textarea
            class="field note-text"
            value={draft.text}
            dir="auto"
            onInput={(event) => change({ ...draft, text: event.currentTarget.value })}
          />
        </label>
        <label class="form-field">
          <span>Tags, separated by commas</span>
          <input
            class="field"
            value={draft.tags}
            onInput={(event) => change({ ...draft, tags: event.currentTarget.value })}
          />
        </label>
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={draft.text.trim() === ''} aria-disabled={isSaving}>
            Save note
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function readDraft(): Draft {
  try {
    const { text = '', tags = '' } = JSON.parse(localStorage.getItem(DRAFT) ?? '{}') as Partial<Draft>;
    return { text, tags };
  } catch {
    return { text: '', tags: '' };
  }
}

function keepDraft(draft: Draft): void {
  if (draft.text === '' && draft.tags === '') localStorage.removeItem(DRAFT);
  else localStorage.setItem(DRAFT, JSON.stringify(draft));
}
