import { displayed } from '@recollect/contract/text';
import { Button, Icon } from '@recollect/ui';
import { useRef } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { explain } from '../api/client.js';
import { isOffline, storeProblem } from '../api/connection.js';
import { announceFailure, dismiss, keepOutcome, outcome, releaseOutcome } from '../state/status.js';

/** Says that the server does not respond. The typed text is kept. */
export function OfflineBanner() {
  return (
    <div role="alert" class="offline-banner" hidden={!isOffline.value}>
      {isOffline.value && (
        <>
          <Icon name="warning" />
          <p>
            Can’t reach Recollect. Retrying… What you type is kept in this browser. To start it, run{' '}
            <code>npm start</code>
          </p>
        </>
      )}
    </div>
  );
}

/** Says on every page that the store accepts no changes, and why. */
export function StoreBanner() {
  return (
    <div role="alert" class="store-banner" hidden={storeProblem.value === null}>
      {storeProblem.value !== null && (
        <>
          <Icon name="warning" />
          <p>
            {storeProblem.value} <a href={addressOf('/docs/reliability')}>What to do</a>
          </p>
        </>
      )}
    </div>
  );
}

/** The outcome of the last action, with the chance to undo it. The region is always there, so that it is announced. */
export function OutcomeLine() {
  const shown = outcome.value;
  const line = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const onFocusIn = ({ relatedTarget }: FocusEvent) => {
    keepOutcome();
    if (relatedTarget instanceof HTMLElement && line.current?.contains(relatedTarget) === false)
      before.current = relatedTarget;
  };
  // The buttons disappear, so the focus goes back to where it was.
  const leave = (work: () => void) => {
    const to = before.current?.isConnected === true ? before.current : document.querySelector<HTMLElement>('#main');
    if (line.current?.contains(document.activeElement) === true) to?.focus({ preventScroll: true });
    work();
  };
  return (
    <div
      ref={line}
      role="status"
      class={shown === null ? 'outcome empty' : `outcome ${shown.tone}`}
      onPointerEnter={keepOutcome}
      onPointerLeave={releaseOutcome}
      onFocusIn={onFocusIn}
      onFocusOut={releaseOutcome}
    >
      {shown !== null && (
        <>
          <p>{displayed(shown.text)}</p>
          {shown.undo !== undefined && (
            <Button variant="quiet" icon="undo" onClick={() => leave(() => void undo(shown.undo))}>
              Undo
            </Button>
          )}
          <Button variant="quiet" icon="close" aria-label="Dismiss" onClick={() => leave(dismiss)} />
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
