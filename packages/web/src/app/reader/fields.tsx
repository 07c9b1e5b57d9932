import { displayed, readTags } from '@recollect/contract/text';
import { Button, Chip } from '@recollect/ui';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onReconnect } from '../api/connection.js';
import { MemoryTags } from '../list/memory-tags.js';
import { TagField } from '../search/tag-field.js';
import { TagMark } from '../search/tag-mark.js';
import { tags as allTags, tagList } from '../state/tags.js';
import { DraftChoice } from './draft-choice.js';
import { useDraft } from './use-draft.js';
import { focusOnMount, useReturnFocus } from './use-return-focus.js';

/** Characters that take two lines at most on a wide screen. */
const LONG_TITLE_CHARACTERS = 60;

interface Props {
  /** The memory. */
  id: string;
  title: string;
  /** Saves a title if the stored one is still `base`. Resolves to the stored title; null if it was not saved. */
  onSave: (title: string, base: string) => Promise<string | null>;
}

/** The title, edited in place. */
export function TitleEditor({ id, title, onSave }: Props) {
  const [isEditing, setEditing] = useState(false);
  const opener = useReturnFocus(isEditing);
  const draft = useDraft({
    storage: localStorage,
    place: `recollect-title-${id}`,
    stored: title,
    clean: (typed) => typed.trim() || title,
    send: onSave,
  });
  if (!isEditing)
    return (
      <header class="reader-title">
        <h1 dir="auto" data-long={title.length > LONG_TITLE_CHARACTERS ? '' : undefined}>
          {displayed(title)}
        </h1>
        <Button ref={opener} variant="quiet" icon="edit" aria-label="Edit title" onClick={() => setEditing(true)} />
      </header>
    );
  const close = () => {
    draft.discard();
    setEditing(false);
  };
  return (
    <header class="reader-title">
      {/* The heading stays, so that the page keeps its structure. */}
      <h1 class="hidden">{displayed(title)}</h1>
      <form
        class="inline-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem('title') as HTMLInputElement;
          if (draft.text.trim() === '') {
            field.setCustomValidity('A title cannot be blank.');
            field.reportValidity();
            return;
          }
          void draft.save().then((isSaved) => {
            if (isSaved) close();
          });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.isComposing) close();
        }}
      >
        <input
          class="field"
          aria-label="Title"
          dir="auto"
          value={draft.text}
          ref={focusOnMount}
          name="title"
          onInput={({ currentTarget }) => {
            currentTarget.setCustomValidity('');
            draft.type(currentTarget.value);
          }}
        />
        <Button type="submit" variant="primary" disabled={draft.isOutdated}>
          Save
        </Button>
        <Button onClick={close}>Cancel</Button>
        <DraftChoice draft={draft} stored={title} />
      </form>
    </header>
  );
}

interface TagsEditorProps {
  tags: readonly string[];
  onAdd: (tags: readonly string[]) => Promise<boolean>;
  onRemove: (tags: readonly string[]) => Promise<boolean>;
}

/** The tags of a memory, edited in place. */
export function TagsEditor({ tags, onAdd, onRemove }: TagsEditorProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const add = async () => {
    const added = readTags(typed ?? '').filter((tag) => !tags.includes(tag));
    if (added.length === 0 || (await onAdd(added))) setTyped(added.length === 0 ? null : '');
  };
  const isEditing = typed !== null;
  const opener = useReturnFocus(isEditing);
  useEffect(() => {
    if (isEditing) void tagList.load();
  }, [isEditing]);
  return (
    <div class="reader-tags">
      {!isEditing && <MemoryTags tags={tags} most={tags.length} />}
      {isEditing &&
        tags.map((tag) => (
          <Chip
            key={tag}
            label={tag}
            mark={<TagMark tag={tag} isOptional />}
            onRemove={() => void onRemove([tag])}
            removeLabel={`Remove tag ${displayed(tag)}`}
          />
        ))}
      {isEditing ? (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.isComposing) setTyped(null);
          }}
        >
          <TagField
            label="New tag"
            value={typed}
            onValue={setTyped}
            known={allTags.value ?? []}
            present={tags}
            isFloating
            inputRef={focusOnMount}
          />
          <Button type="submit" variant="primary">
            Add
          </Button>
          <Button onClick={() => setTyped(null)}>Done</Button>
        </form>
      ) : (
        <Button ref={opener} id="edit-tags" variant="quiet" icon="tag" onClick={() => setTyped('')}>
          Edit tags
        </Button>
      )}
    </div>
  );
}

/** Milliseconds without a key press before a note is saved. Each save is an entry of the history. */
const NOTE_DEBOUNCE_MS = 5_000;

interface NoteFieldProps {
  /** The memory. */
  id: string;
  note: string | null;
  /** Saves a note if the stored one is still `base`. Resolves to the stored note; undefined if it was not saved. */
  onSave: (note: string | null, base: string | null) => Promise<string | null | undefined>;
}

/**
 * The user's own note. It is saved when they leave the field or the page, or pause for long. Until then the browser
 * keeps the typed text, even if the page is closed while the server is stopped.
 */
export function NoteField({ id, note, onSave }: NoteFieldProps) {
  const stored = note ?? '';
  const draft = useDraft({
    storage: localStorage,
    place: `recollect-note-${id}`,
    stored,
    clean: (typed) => typed.trim(),
    send: async (text, base) => {
      const saved = await onSave(text || null, base || null);
      return saved === undefined ? null : (saved ?? '');
    },
  });
  const leave = async () => {
    // White space around it is not stored.
    if (await draft.save()) draft.discard();
  };
  useEffect(() => {
    if (draft.text.trim() === stored) return;
    const timer = setTimeout(() => void draft.save(), NOTE_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [draft.text, draft.isOutdated]);
  // A note that could not be saved is saved as soon as the server responds. Leaving the page also saves.
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const onLeave = () => void latest.current();
    const stop = onReconnect(onLeave);
    document.addEventListener('visibilitychange', onLeave);
    addEventListener('pagehide', onLeave);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onLeave);
      removeEventListener('pagehide', onLeave);
      onLeave();
    };
  }, []);

  return (
    <div class="reader-note">
      <label>
        <span class="hidden">Note</span>
        <textarea
          class="field"
          dir="auto"
          rows={1}
          placeholder="Add a note"
          value={draft.text}
          onInput={(event) => draft.type(event.currentTarget.value)}
          onBlur={() => void leave()}
        />
      </label>
      <DraftChoice draft={draft} stored={stored} />
    </div>
  );
}
