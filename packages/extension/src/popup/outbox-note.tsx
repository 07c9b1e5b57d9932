import { count } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { exportOutbox, type Waiting } from '../saving/outbox.js';

interface Props {
  waiting: readonly Waiting[];
  onSend: () => Promise<void>;
  onDiscard: (waiting: Waiting) => Promise<void>;
}

/** The waiting captures, each with the reason if it was refused. */
export function OutboxNote({ waiting, onSend, onDiscard }: Props) {
  if (waiting.length === 0) return null;
  const isRefused = waiting.some(({ refusal }) => refusal !== null);
  return (
    <section class="outbox" aria-label="Waiting captures">
      <div class="actions">
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
