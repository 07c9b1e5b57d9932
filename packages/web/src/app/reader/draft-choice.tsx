import { Button } from '@recollect/ui';

interface Props {
  stored: string;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Says that a stored text changed after its draft was begun, and lets the user choose one. */
export function DraftChoice({ stored, onKeep, onDiscard }: Props) {
  return (
    <div class="problem draft-choice" role="alert">
      <p>The stored text changed after you began this draft.</p>
      <Button onClick={onKeep}>Keep my draft</Button>
      <Button onClick={onDiscard}>Use the stored text</Button>
      <details>
        <summary>Show the stored text</summary>
        <textarea class="field" aria-label="Stored text" dir="auto" readOnly value={stored} />
      </details>
    </div>
  );
}
