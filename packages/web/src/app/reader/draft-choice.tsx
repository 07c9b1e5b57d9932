import { Button } from '@recollect/ui';
import type { DraftField } from './use-draft.js';

interface Props {
  draft: DraftField;
  stored: string;
}

/**
 * Says that a stored text changed after its draft was begun, and lets the user choose one. Nothing while it did not.
 */
export function DraftChoice({ draft, stored }: Props) {
  if (!draft.isOutdated) return null;
  return (
    <div class="problem draft-choice" role="alert">
      <p>The stored text changed after you began this draft.</p>
      <Button onClick={draft.keep}>Keep my draft</Button>
      <Button onClick={draft.discard}>Use the stored text</Button>
      <details>
        <summary>Show the stored text</summary>
        <textarea class="field" aria-label="Stored text" dir="auto" readOnly value={stored} />
      </details>
    </div>
  );
}
