import { signal } from '@preact/signals';
import { readTags } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { ownName } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { TagOptions } from '../search/tag-options.js';
import { deleteMemories } from '../state/changes.js';
import { loadList } from '../state/load-list.js';
import { announce } from '../state/status.js';
import { addLink, isLink } from './add-link.js';
import { Dialog } from './dialog.js';
import { Keys } from './keys.js';
import { MarkdownText } from './markdown-text.js';

const DRAFT_KEY = ownName('recollect-note');

/** A new note that is not saved yet. */
export interface NoteDraft {
  title: string;
  text: string;
  tags: string;
}

const emptyNote: NoteDraft = { title: '', text: '', tags: '' };

/** The note that the browser keeps until it is saved. */
function readNoteDraft(): NoteDraft {
  try {
    return { ...emptyNote, ...(JSON.parse(localStorage.getItem(DRAFT_KEY) ?? '{}') as Partial<NoteDraft>) };
  } catch {
    return emptyNote;
  }
}

/** Keeps a note in the browser, or forgets an empty one. False if the browser has no room for it. */
function keepNoteDraft(draft: NoteDraft): boolean {
  try {
    if (Object.values(draft).every((field) => field === '')) localStorage.removeItem(DRAFT_KEY);
    else localStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Calls back with a note that another window has kept. Returns a function that ends this. */
function followNoteDraft(onKept: (draft: NoteDraft) => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === DRAFT_KEY && newValue !== null) onKept(readNoteDraft());
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Forgets a saved note. Text that another window has typed since is another note. */
function forgetNoteDraft(saved: NoteDraft): void {
  const draft = readNoteDraft();
  const isSame = (['title', 'text', 'tags'] as const).every((field) => draft[field] === saved[field]);
  if (isSame) localStorage.removeItem(DRAFT_KEY);
}

const isOpen = signal(false);

/** Whether the dialog that adds something is open. */
export const isAddOpen = signal(false);

/** Opens the dialog for a new note. */
export function openNote(): void {
  isOpen.value = true;
}

/** The dialog for a new note. The browser keeps the typed text until it is saved. */
export function NoteDialog() {
  return isOpen.value ? <NoteForm /> : null;
}

function NoteForm() {
  const [draft, setDraft] = useState(readNoteDraft);
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [isPreview, setPreview] = useState(false);
  const listId = useId();
  const isEmpty = draft.text.trim() === '';
  // There is one draft. A window that showed an older one would put it in the place of this one. It follows before
  // anyone can type.
  useLayoutEffect(() => (isSaving ? undefined : followNoteDraft(setDraft)), [isSaving]);
  // Kept at once: the dialog may be closed before an effect would run.
  const change = (part: Partial<NoteDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keepNoteDraft(next);
  };

  const close = () => {
    isOpen.value = false;
  };
  const leave = () => {
    // It closes by itself when the note is saved. If it cannot be saved, the note is here.
    if (isSaving) return;
    // Another window may have saved its own note, and forgotten this one. An empty one replaces no draft of another
    // window.
    if (Object.values(draft).some((field) => field !== '') && !keepNoteDraft(draft)) {
      setProblem('The browser has no room for your draft. Save the note, or copy it.');
      return;
    }
    close();
    if (!isEmpty) announce('Your draft is kept for the next new note.');
  };
  const save = async () => {
    if (isEmpty || isSaving) return;
    setSaving(true);
    try {
      await saveNote(draft);
      forgetNoteDraft(draft);
      close();
      await loadList();
    } catch (error) {
      setProblem(`${explain(error)} Your note is kept here.`);
    } finally {
      setSaving(false);
    }
  };

  return (
    <Dialog title="New note" onClose={leave} class="note">
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
        <input
          class="note-title"
          aria-label="Title"
          placeholder="Title"
          dir="auto"
          autocomplete="off"
          value={draft.title}
          readOnly={isSaving}
          onInput={(event) => change({ title: event.currentTarget.value })}
        />
        {isPreview ? (
          <MarkdownText name="Preview" text={draft.text} />
        ) : (
          <textarea
            class="note-text"
            data-first
            aria-label="Text, in Markdown if you like"
            placeholder="Write something. Markdown works."
            value={draft.text}
            readOnly={isSaving}
            dir="auto"
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        )}
        <input
          class="field"
          aria-label="Tags, separated by commas"
          placeholder="Tags, separated by commas"
          autocomplete="off"
          list={listId}
          value={draft.tags}
          readOnly={isSaving}
          onInput={(event) => change({ tags: event.currentTarget.value })}
        />
        <TagOptions id={listId} typed={draft.tags} />
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
          <Button
            variant="quiet"
            class="preview-toggle"
            aria-pressed={isPreview}
            disabled={isEmpty && !isPreview}
            onClick={() => setPreview(!isPreview)}
          >
            Preview
          </Button>
          {isLink(draft.text) && (
            <Button
              icon="download"
              onClick={() => {
                forgetNoteDraft(draft);
                close();
                void addLink(draft.text);
              }}
            >
              Save this page
            </Button>
          )}
          <Button onClick={leave}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={isEmpty}
            aria-disabled={isSaving}
            aria-label="Save note"
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            Save note
            <Keys keys="$mod ↵" />
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Saves a note, and announces it with the chance to undo it. */
export async function saveNote({ title, text, tags }: NoteDraft): Promise<void> {
  const typedTitle = title.trim();
  const { captures } = await client('capture', {
    body: {
      ...(typedTitle === '' ? {} : { title: typedTitle, ownTitle: true }),
      pageText: text,
      sourceApp: 'web',
      tags: readTags(tags),
    },
  });
  const [saved] = captures;
  const isNew = saved?.status === 'created';
  announce(
    isNew ? 'Saved.' : 'This text was saved before.',
    isNew && saved !== undefined ? () => deleteMemories([saved.id]) : undefined,
  );
}
