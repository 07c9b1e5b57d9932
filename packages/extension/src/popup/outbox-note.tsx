import { age } from './age.js';
import { exportOutbox, type Waiting } from './outbox.js';
import { count } from './receipt.js';

interface Given {
  waiting: readonly Waiting[];
  onSend: () => Promise<void>;
  onDiscard: (id: string) => Promise<void>;
}

/** What waits for the server. */
export function OutboxNote({ waiting, onSend, onDiscard }: Given) {
  if (waiting.length === 0) return null;
  const refused = waiting.filter(({ refusal }) => refusal !== null);
  return (
    <section class="outbox" aria-label="Waiting here">
      <p>
        <b>{count(waiting.length, 'capture')}</b> {waiting.length === 1 ? 'waits' : 'wait'} here.
      </p>
      <div class="actions">
        <button type="button" class="small" onClick={() => void onSend()}>
          Send now
        </button>
        <button type="button" class="small" onClick={() => void download()}>
          Export
        </button>
      </div>
      {refused.map(({ id, title, at, refusal }) => (
        <div key={id} class="refused">
          <p>
            <b>{title}</b>, {age(at)}: {refusal}
          </p>
          <button type="button" class="small" onClick={() => void onDiscard(id)}>
            Discard
          </button>
        </div>
      ))}
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
