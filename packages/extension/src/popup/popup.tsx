import { Logo } from '@recollect/ui';
import { createRef } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Status } from '../saving/status.js';
import { CaptureForm } from './capture-form.js';
import { ConnectionBadge, ConnectionNote } from './connection-note.js';
import { OutboxNote } from './outbox-note.js';
import { Search } from './search.js';
import { ShortcutNote } from './shortcut-note.js';
import { StatusLine } from './status-line.js';
import { StoreNote } from './store-note.js';
import { useCapture } from './use-capture.js';
import { useConnection } from './use-connection.js';

const EMPTY_STATUS: Status = { tone: 'quiet', text: '' };

/** The whole popup: search at the top, then the page to save and the status. */
export function Popup() {
  const [status, setStatus] = useState<Status>(EMPTY_STATUS);
  const showStatus = useCallback((next: Status) => setStatus(next), []);
  const appendStatus = useCallback((next: Status) => setStatus((before) => mergeStatus(before, next)), []);
  const [isSearching, setSearching] = useState(false);
  const { setup, connection, isLooking: isChecking, waiting, ...outbox } = useConnection(appendStatus);
  const capture = useCapture({ connection, showStatus, appendStatus, ...outbox });
  const field = useMemo(() => createRef<HTMLInputElement>(), []);

  useEffect(() => {
    // Typing outside of a field goes to the search.
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
        <ConnectionBadge connection={connection} isLooking={isChecking} />
      </header>
      <Search connection={connection} field={field} onActive={setSearching} />
      <main>
        {/* The answer of a search says the same. */}
        <div hidden={isSearching}>
          <StoreNote connection={connection} />
        </div>
        <div hidden={isSearching}>
          <CaptureForm {...capture} connection={connection} />
        </div>
        {/* The result of a capture is unrelated to later search results. */}
        <div hidden={isSearching}>
          <StatusLine status={status} baseUrl={setup?.connection.baseUrl} />
        </div>
        <ConnectionNote connection={connection} setup={setup} onKey={outbox.enterKey} onRetry={outbox.retry} />
        <OutboxNote waiting={waiting} onSend={outbox.sendWaiting} onDiscard={outbox.discard} />
      </main>
      <div hidden={isSearching}>
        <ShortcutNote />
      </div>
    </>
  );
}

/** Combines two messages that arrive in any order when the popup opens. */
function mergeStatus(before: Status, next: Status): Status {
  // The capture in progress reports its own result next, which matters more.
  if (before.tone === 'busy') return before;
  // A `kept` capture has now been sent.
  if (before.text === '' || before.tone === 'kept') return next;
  const tone = before.tone === 'bad' ? 'bad' : next.tone;
  return { ...next, ...before, tone, text: `${before.text} ${next.text}` };
}
