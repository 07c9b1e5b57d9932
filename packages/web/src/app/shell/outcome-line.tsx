import { Button } from '@recollect/ui';
import { explain } from '../api/client.js';
import { announceFailure, dismiss, keepOutcome, outcome, releaseOutcome } from '../state/status.js';

/** The outcome of the last action, with the chance to undo it. The region is always there, so that it is announced. */
export function OutcomeLine() {
  const shown = outcome.value;
  return (
    <div
      role="status"
      class={shown === null ? 'outcome empty' : `outcome ${shown.tone}`}
      onPointerEnter={keepOutcome}
      onPointerLeave={releaseOutcome}
      onFocusIn={keepOutcome}
      onFocusOut={releaseOutcome}
    >
      {shown !== null && (
        <>
          <p>{shown.text}</p>
          {shown.undo !== undefined && (
            <Button variant="quiet" icon="undo" onClick={() => void undo(shown.undo)}>
              Undo
            </Button>
          )}
          <Button variant="quiet" icon="close" aria-label="Dismiss" onClick={dismiss} />
        </>
      )}
    </div>
  );
}

async function undo(work: (() => Promise<void>) | undefined): Promise<void> {
  dismiss();
  try {
    await work?.();
  } catch (error) {
    announceFailure(`It could not be undone. ${explain(error)}`, work);
  }
}
