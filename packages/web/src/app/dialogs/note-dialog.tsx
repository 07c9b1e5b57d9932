import { signal } from '@preact/signals';
import type { Image } from '@recollect/contract';
import { readTags } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ownName } from '../api/base-path.js';
import { client, explain, loadPage } from '../api/client.js';
import { onDemand } from '../api/on-demand.js';
import { deleteMemories } from '../state/changes.js';
import { loadList } from '../state/load-list.js';
import { announce } from '../state/status.js';
import { tags as allTags, tagList } from '../state/tags.js';
import { addLink, isLink } from './add-link.js';
import { Dialog } from './dialog.js';
import { Keys } from './keys.js';
import { MarkdownField } from './markdown-field.js';
import { NotePicture } from './note-picture.js';

const TagField = onDemand(() => import('../search/tag-field.js').then((it) => it.TagField));

const DRAFT_KEY = ownName('recollect-note');

/** A new note that is not saved yet. */
export interface NoteDraft {
  title: string;
  text: string;
  tags: string;
  picture?: Image | undefined;
}

/** The heading of level 1 that a text begins with; empty if it begins with anything else. */
const headingOf = (text: string) => /^\s*# (.{1,500})/.exec(text)?.[1]?.trim() ?? '';

const emptyNote: NoteDraft = { title: '', text: '', tags: '' };

/** The note that the browser keeps until it is saved. */
function readNoteDraft(): NoteDraft {
  try {
    return { ...emptyNote, ...(JSON.parse(localStorage.getItem(DRAFT_KEY) ?? '{}') as Partial<NoteDraft>) };
  } catch {
    return emptyNote;
  }
}

const isEmptyDraft = ({ title, text, tags, picture }: NoteDraft) => title + text + tags === '' && picture === undefined;

/** Keeps a note in the browser, or forgets an empty one. False if the browser has no room for it. */
function keepNoteDraft(draft: NoteDraft): boolean {
  try {
    if (isEmptyDraft(draft)) localStorage.removeItem(DRAFT_KEY);
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
  if (isSame && draft.picture?.data === saved.picture?.data) localStorage.removeItem(DRAFT_KEY);
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
  const isEmpty = draft.text.trim() === '';
  // There is one draft. A window that showed an older one would put it in the place of this one. It follows before
  // anyone can type.
  useLayoutEffect(() => (isSaving ? undefined : followNoteDraft(setDraft)), [isSaving]);
  useEffect(() => void tagList.load(), []);
  const latest = useRef(draft);
  latest.current = draft;
  // Kept at once: the dialog may be closed before an effect would run.
  const change = (part: Partial<NoteDraft>) => {
    const next = { ...latest.current, ...part };
    latest.current = next;
    setDraft(next);
    keepNoteDraft(next);
  };
  const addPicture = async (files: readonly File[]) => {
    const { choosePicture } = await loadPage(() => import('../editor/to-picture.js'));
    const { picture, problem: left } = await choosePicture(files);
    if (picture !== null) change({ picture });
    setProblem(left);
  };

  const close = () => {
    isOpen.value = false;
  };
  const leave = () => {
    // It closes by itself when the note is saved. If it cannot be saved, the note is here.
    if (isSaving) return;
    // Another window may have saved its own note, and forgotten this one. An empty one replaces no draft of another
    // window.
    if (!isEmptyDraft(draft) && !keepNoteDraft(draft)) {
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
          placeholder={headingOf(draft.text) || 'Title'}
          dir="auto"
          autocomplete="off"
          value={draft.title}
          readOnly={isSaving}
          onInput={(event) => change({ title: event.currentTarget.value })}
        />
        <MarkdownField
          name="Text, in Markdown if you like"
          class="note-text"
          hint="Write something. Markdown works; / has blocks, [[ has titles."
          text={draft.text}
          isReadOnly={isSaving}
          onInput={(text) => change({ text })}
          onImages={addPicture}
        />
        {draft.picture !== undefined && (
          <NotePicture picture={draft.picture} onRemove={() => change({ picture: undefined })} />
        )}
        <div class="note-tags">
          <TagField
            label="Tags"
            value={draft.tags}
            onValue={(tags) => change({ tags })}
            known={allTags.value ?? []}
            isFloating
            isReadOnly={isSaving}
          />
        </div>
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
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
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            Save note
            <span aria-hidden="true">
              <Keys keys="$mod ↵" />
            </span>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Saves a note, and announces it with the chance to undo it. Without a title, its first heading is the title. */
export async function saveNote({ title, text, tags, picture }: NoteDraft): Promise<void> {
  const typedTitle = title.trim() || headingOf(text);
  const { captures } = await client('capture', {
    body: {
      ...(typedTitle === '' ? {} : { title: typedTitle, ownTitle: true }),
      pageText: text,
      sourceApp: 'web',
      tags: readTags(tags),
      ...(picture === undefined ? {} : { picture }),
    },
  });
  const [saved] = captures;
  const isNew = saved?.status === 'created';
  announce(
    isNew ? 'Saved.' : 'This text was saved before.',
    isNew && saved !== undefined ? () => deleteMemories([saved.id]) : undefined,
  );
}
