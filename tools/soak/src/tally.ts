import type { Answer } from './send.js';

/** Counts of the answers. */
export interface Tally {
  /** Milliseconds until the answer, by kind of request. Without those during a restart. */
  times: Map<string, number[]>;
  /** Answers other than success while the server was not restarting: each with its count. */
  errors: Map<string, number>;
  /** Requests during a restart that got 503 or no answer. */
  turnedAway: number;
  sent: number;
  record(kind: string, answer: Answer, milliseconds: number, wasRestarting: boolean): void;
}

export function createTally(): Tally {
  const tally: Tally = {
    times: new Map(),
    errors: new Map(),
    turnedAway: 0,
    sent: 0,
    record(kind, { status, body }, milliseconds, wasRestarting) {
      tally.sent += 1;
      if (wasRestarting && (status === null || status === 503)) {
        tally.turnedAway += 1;
        return;
      }
      if (status === null || status >= 400) {
        const name = `${kind}: ${status ?? 'no answer'} ${body?.code ?? String(body).slice(0, 80)}`;
        tally.errors.set(name, (tally.errors.get(name) ?? 0) + 1);
      }
      if (wasRestarting) return;
      const times = tally.times.get(kind);
      if (times === undefined) tally.times.set(kind, [milliseconds]);
      else times.push(milliseconds);
    },
  };
  return tally;
}
