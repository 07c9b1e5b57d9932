import { count } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { createRef } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { saveCommand } from '../saving/commands.js';
import { type Connection, isStoreProblem } from '../saving/connection.js';
import { exportOutbox, type Waiting } from '../saving/outbox.js';
import type { Status } from '../saving/status.js';
import { CaptureForm } from './capture-form.js';
import { ConnectionBadge, ConnectionNote } from './connection-note.js';
import { Header } from './header.js';
import { MemoryActions } from './memory-actions.js';
import { openOptions } from './open-options.js';
import { Search } from './search.js';
import { useCapture } from './use-capture.js';
import { useConnection } from './use-connection.js';

/** Where Chromium's users choose shortcuts. Firefox has no address for it. */
const SHORTCUTS_PAGE = 'chrome://extensions/shortcuts';

/** The shortcut that saves without this window, and where to change it. */
function ShortcutNote() {
  const [keys, setKeys] = useState<string | null>(null);
  useEffect(() => {
    void chrome.commands
      .getAll()
      .then((commands) => setKeys(commands.find(({ name }) => name === saveCommand)?.shortcut ?? ''));
  }, []);
  return (
    <footer class="shortcut">
      {keys !== null && (
        <>
          <p>
            {keys === '' ? (
              'No shortcut saves the page.'
            ) : (
              <>
                <kbd>{keys}</kbd> saves without this window.
              </>
            )}
          </p>
          <Button variant="quiet" class="change" aria-label="Change keyboard shortcuts" onClick={openShortcuts}>
            Change
          </Button>
        </>
      )}
      <Button variant="quiet" icon="settings" aria-label="Options" onClick={openOptions} />
    </footer>
  );
}

function openShortcuts(): void {
  const { commands } = chrome as { commands: typeof chrome.commands & { openShortcutSettings?: () => Promise<void> } };
  void (commands.openShortcutSettings?.() ?? chrome.tabs.create({ url: SHORTCUTS_PAGE }));
}

const EMPTY_STATUS: Status = { tone: 'quiet', text: '' };

/** The whole popup: search at the top, then the page to save and the status. */
export function Popup() {
  const [status, setStatus] = useState<Status>(EMPTY_STATUS);
  const showStatus = useCallback((next: Status) => setStatus(next), []);
  const appendStatus = useCallback((next: Status) => setStatus((before) => mergeStatus(before, next)), []);
  const [isSearching, setSearching] = useState(false);
  const { setup, connection, isLooking: isChecking, waiting, ...outbox } = useConnection(appendStatus);
  const capture = useCapture({ connection, showStatus, appendStatus, ...outbox });
  const isUnsavable = capture.page !== null && 'problem' in capture.page;
  const showProblem = useCallback((text: string) => setStatus({ tone: 'bad', text }), []);
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
      <Header>
        <ConnectionBadge connection={connection} isLooking={isChecking} />
      </Header>
      <Search connection={connection} field={field} onActive={setSearching} />
      <main>
        {/* The answer of a search says the same. */}
        <div hidden={isSearching}>
          <StoreNote connection={connection} />
        </div>
        {/* The result of a capture is unrelated to later search results. */}
        <div class={isUnsavable ? 'capture nothing' : 'capture'} hidden={isSearching}>
          <CaptureForm {...capture} connection={connection} />
          <MemoryActions {...capture} connection={connection} onProblem={showProblem} />
          <p class={`status ${status.tone}`} role="status">
            {status.text}
          </p>
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
  const tones = [before.tone, next.tone];
  const tone = tones.includes('bad') ? 'bad' : tones.includes('quiet') ? 'quiet' : next.tone;
  return { ...next, ...before, tone, text: `${before.text} ${next.text}` };
}

interface Problem {
  code: string;
  message: string;
}

/** Says that the store accepts no changes, why, and what to do. */
function StoreNote({ connection }: { connection: Connection }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (connection.state !== 'connected') return setProblem(null);
    connection.client('health', {}).then(
      () => setProblem(null),
      (error) => setProblem(isStoreProblem(error) ? error : null),
    );
  }, [connection]);
  return (
    <div role="alert">
      {problem !== null && connection.state === 'connected' && (
        <div class="notice bad">
          <p>{problem.message}</p>
          <p>
            {problem.code === 'STORE_DAMAGED' && (
              <>
                <code>recollect restore</code> puts it back, and asks before it does.{' '}
              </>
            )}
            <a href={`${connection.baseUrl}/docs/reliability`} target="_blank" rel="noreferrer">
              What to do
            </a>
          </p>
        </div>
      )}
    </div>
  );
}

interface OutboxNoteProps {
  waiting: readonly Waiting[];
  onSend: () => Promise<void>;
  onDiscard: (waiting: Waiting) => Promise<void>;
}

/** The waiting captures, each with the reason if it was refused. */
function OutboxNote({ waiting, onSend, onDiscard }: OutboxNoteProps) {
  if (waiting.length === 0) return null;
  const isRefused = waiting.some(({ refusal }) => refusal !== null);
  return (
    <section class="outbox" aria-label="Waiting captures">
      <div class="outbox-actions">
        <Button onClick={() => void onSend()}>Send now</Button>
        <Button onClick={() => void download()}>Export</Button>
      </div>
      <details open={isRefused}>
        <summary>
          <b>{count(waiting.length, 'capture')}</b> waiting
        </summary>
        {waiting.map((entry) => (
          <div key={entry.id} class="waiting">
            <p class={entry.refusal === null ? '' : 'refused'}>
              <b>{entry.title}</b>, <Age instant={entry.at} locale="en" />
              {entry.refusal !== null && `: ${entry.refusal}`}
            </p>
            <DiscardButton onDiscard={() => void onDiscard(entry)} />
          </div>
        ))}
      </details>
    </section>
  );
}

/** Asks first: the waiting captures are stored nowhere else. */
function DiscardButton({ onDiscard }: { onDiscard: () => void }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Discard</Button>;
  return (
    <Button variant="danger" onClick={onDiscard} onBlur={() => setAsking(false)}>
      Discard for good
    </Button>
  );
}

/** Downloads a file that is valid as the body of a capture request. */
async function download(): Promise<void> {
  const text = JSON.stringify(await exportOutbox(), null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'recollect-waiting.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
