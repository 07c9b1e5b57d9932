import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

/** Captures that are sent to servers without a pause, as the outbox of an extension sends them. */
export interface CaptureLoad {
  /** The titles of the captures that were answered as saved. */
  readonly answered: readonly string[];
  /** How often each answer other than success came: its status and code, or `none` without an answer. */
  readonly failures: Readonly<Record<string, number>>;
  /** Failures that do not say when to try again. */
  readonly withoutRetry: readonly string[];
  /** Stops once each capture that was sent has been answered as saved. */
  stop(): Promise<void>;
}

/** Milliseconds between two attempts. */
const PAUSE = 100;
/** Milliseconds after which an attempt counts as unanswered. */
const PATIENCE = 40_000;

/**
 * Begins to capture texts at servers by turns. A capture that is not saved is sent again with the same key, to the next
 * server.
 *
 * @param options.addresses called for each attempt, since a server that was started again has another address
 * @param options.pause milliseconds between two captures of a sender
 */
export function startCaptureLoad({
  addresses,
  senders,
  pause = 0,
}: {
  addresses: () => string[];
  senders: number;
  pause?: number;
}): CaptureLoad {
  const answered: string[] = [];
  const failures: Record<string, number> = {};
  const withoutRetry: string[] = [];
  let isStopping = false;
  let turn = 0;

  const fail = (reason: string) => {
    failures[reason] = (failures[reason] ?? 0) + 1;
  };
  const attempt = async (title: string): Promise<boolean> => {
    const all = addresses();
    if (all.length === 0) return false;
    const response = await fetch(`${all[turn++ % all.length]}/api/v1/capture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': title },
      body: JSON.stringify({ title, pageText: `The text of ${title}` }),
      signal: AbortSignal.timeout(PATIENCE),
    }).catch(() => null);
    if (response === null) {
      fail('none');
      return false;
    }
    const { code } = (await response.json().catch(() => ({}))) as { code?: string };
    if (response.ok) return true;
    if (response.status < 500) throw new Error(`A capture was rejected: ${response.status} ${code}`);
    fail(`${response.status} ${code}`);
    if (response.headers.get('retry-after') === null) withoutRetry.push(`${response.status} ${code}`);
    return false;
  };
  const send = async () => {
    while (!isStopping) {
      const title = randomUUID();
      while (!(await attempt(title))) await setTimeout(PAUSE);
      answered.push(title);
      if (pause > 0) await setTimeout(pause);
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, send));
  return {
    answered,
    failures,
    withoutRetry,
    async stop() {
      isStopping = true;
      await sending;
    },
  };
}
