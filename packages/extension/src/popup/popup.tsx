import { createRef } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { CaptureForm } from './capture-form.js';
import { ConnectionBadge, ConnectionNote } from './connection-note.js';
import { Logo } from './logo.js';
import { OutboxNote } from './outbox-note.js';
import { Search } from './search.js';
import { type Status, StatusLine } from './status-line.js';
import { useCapture } from './use-capture.js';
import { useConnection } from './use-connection.js';

const QUIET: Status = { tone: 'quiet', text: '' };

/** The whole window: search above, the page to save below, and what became of it. */
export function Popup() {
  const [status, setStatus] = useState<Status>(QUIET);
  const tell = useCallback((next: Status) => setStatus(next), []);
  const tellToo = useCallback((next: Status) => setStatus((before) => both(before, next)), []);
  const [isSearching, setSearching] = useState(false);
  const { setup, connection, isLooking, waiting, ...outbox } = useConnection(tellToo);
  const capture = useCapture({ connection, tell, tellToo, ...outbox });
  const field = useMemo(() => createRef<HTMLInputElement>(), []);

  useEffect(() => {
    // Typing anywhere but in a field searches.
    const onKey = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (isText && !isField) field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      <header class="head">
        <h1>
          <Logo />
          Recollect
        </h1>
        <ConnectionBadge connection={connection} isLooking={isLooking} />
      </header>
      <Search connection={connection} field={field} onActive={setSearching} />
      <main>
        <div hidden={isSearching}>
          <CaptureForm {...capture} />
        </div>
        <StatusLine status={status} />
        <ConnectionNote connection={connection} setup={setup} onKey={outbox.enterKey} onRetry={outbox.retry} />
        <OutboxNote waiting={waiting} onSend={outbox.retry} onDiscard={outbox.discard} />
      </main>
    </>
  );
}

/** Two sentences that arrive when the window opens, in any order. */
function both(before: Status, next: Status): Status {
  // What was kept is what went, and what is being done has no end yet.
  if (before.text === '' || before.tone === 'busy' || before.tone === 'kept') return next;
  return { tone: before.tone === 'bad' ? 'bad' : next.tone, text: `${before.text} ${next.text}` };
}
