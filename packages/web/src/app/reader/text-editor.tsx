import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { client, explain, loadPage } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { MarkdownField } from '../dialogs/markdown-field.js';
import { announce, announceFailure } from '../state/status.js';
import { DraftChoice } from './draft-choice.js';
import { useDraft } from './use-draft.js';

interface Props {
  memory: MemoryDetail;
  /**
   * Saves a text unless the stored one no longer has the hash `base`. Resolves to the hash of the new one; null if it
   * is not saved.
   */
  onSave: (text: string, base: string) => Promise<string | null>;
  onClose: () => void;
}

const placeOf = (id: string) => `recollect-text-${id}`;

/** Whether an unsaved text of a memory is kept in the browser. */
export function hasTextDraft(id: string): boolean {
  return localStorage.getItem(placeOf(id)) !== null;
}

/** Edits the text of a note as Markdown. An unsaved text is kept in the browser. */
export function TextEditor({ memory: { id, text: stored, textHash }, onSave, onClose }: Props) {
  const draft = useDraft({
    storage: localStorage,
    place: placeOf(id),
    stored,
    version: textHash,
    send: onSave,
  });
  const isBlank = draft.text.trim() === '';
  const close = () => {
    draft.discard();
    onClose();
  };
  const save = async () => {
    if (!isBlank && (await draft.save())) close();
  };
  const savePicture = async (files: readonly File[]) => {
    try {
      const { choosePicture } = await loadPage(() => import('../editor/to-picture.js'));
      const { picture, problem } = await choosePicture(files);
      if (picture === null) return announceFailure(problem);
      await client('updateMemory', { parameters: { id }, body: { picture } });
      if (problem === '') announce('Picture saved.');
      else announceFailure(`Picture saved. ${problem}`);
      reportChanges([id]);
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true }), []);
  return (
    <form
      ref={form}
      class="form text-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
      }}
    >
      <DraftChoice draft={draft} stored={stored} />
      <MarkdownField name="Text" class="field" text={draft.text} onInput={draft.type} onImages={savePicture} />
      <div class="form-actions">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={draft.isOutdated || isBlank}>
          Save text
        </Button>
      </div>
    </form>
  );
}
