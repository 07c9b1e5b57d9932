import { age } from './age.js';
import { count } from './count.js';
import { exportOutbox, type Waiting } from './outbox.js';

interface Given {
  waiting: readonly Waiting[];
  onSend: () => Promise<void>;
  onDiscard: (waiting: Waiting) => Promise<void>;
}

/** What waits for the server, each with its reason where it was refused. */
export function OutboxNote({ waiting, onSend, onDiscard }: Given) {
  if (waiting.length === 0) return null;
  const isRefused = waiting.some(({ refusal }) => refusal !== null);
  return (
    <section class="outbox" aria-label="Waiting here">
      <div class="actions">
        <button type="button" class="small" onClick={() => void onSend()}>
          Send now
        </button>
        <button type="button" class="small" onClick={() => void download()}>
          Export
        </button>
      </div>
      <details open={isRefused}>
        <summary>
          <b>{count(waiting.length, 'capture')}</b> {waiting.length === 1 ? 'waits' : 'wait'} here
        </summary>
        {waiting.map((entry) => (
          <div key={entry.id} class="waiting">
            <p class={entry.refusal === null ? '' : 'refused'}>
              <b>{entry.title}</b>, {age(entry.at)}
              {entry.refusal !== null && `: ${entry.refusal}`}
            </p>
            <button type="button" class="small" onClick={() => void onDiscard(entry)}>
              Discard
            </button>
          </div>
        ))}
      </details>
    </section>
  );
}

/** As a file that a capture request takes as its body. */
async function download(): Promise<void> {
  const text = JSON.stringify(await exportOutbox(), null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'recollect-waiting.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
