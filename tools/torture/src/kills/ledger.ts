import { type Answer, request } from '../request.js';

/** A memory that was acknowledged: the text's number, and the notes that were acknowledged and tried. */
interface Entry {
  number: number;
  note: number;
  tried: number;
}

/** The state that the service has acknowledged, and the requests that it has not answered. */
export interface Ledger {
  /** Captures a new text. */
  capture(address: string): Promise<void>;
  /** Changes the note of a memory that exists. */
  edit(address: string, choose: (limit: number) => number): Promise<void>;
  /** Sends again what got no answer before the kill, with the same key. */
  retry(address: string): Promise<void>;
  /** Lists missing or wrong memories among the newest `limit`. */
  check(address: string, limit?: number): Promise<string[]>;
  size(): number;
}

export function createLedger(): Ledger {
  const saved = new Map<string, Entry>();
  const open = new Set<number>();
  /** The memories of which an edit is under way. */
  const editing = new Set<string>();
  let next = 0;

  const textOf = (number: number) =>
    `Memory ${number}\n\n${`The ${number}th cup of tea. `.repeat(1 + (number % 40))}`.trim();
  const send = async (address: string, number: number) => {
    open.add(number);
    const key = { 'idempotency-key': `capture-${number}` };
    const answer = await request(address, 'POST', '/api/v1/capture', { pageText: textOf(number) }, key);
    mustBe(answer, 200);
    open.delete(number);
    saved.set(answer.body.captures[0].id, { number, note: 0, tried: 0 });
  };

  return {
    capture: (address) => send(address, next++),
    async edit(address, choose) {
      const [id, entry] = [...saved][choose(saved.size)] ?? [];
      // Two edits of one memory at the same time have no order, so that either may be the last.
      if (id === undefined || entry === undefined || editing.has(id)) return;
      entry.tried += 1;
      const note = entry.tried;
      editing.add(id);
      try {
        mustBe(await request(address, 'PATCH', `/api/v1/memories/${id}`, { note: `${note}` }), 200);
        entry.note = note;
      } finally {
        editing.delete(id);
      }
    },
    async retry(address) {
      for (const number of open) await send(address, number);
    },
    async check(address, limit = saved.size) {
      const problems: string[] = [];
      for (const [id, { number, note, tried }] of [...saved].slice(-limit)) {
        const { status, body } = await request(address, 'GET', `/api/v1/memories/${id}`);
        if (status !== 200) problems.push(`memory ${number} is lost (${status})`);
        else if (body.text !== textOf(number)) problems.push(`memory ${number} has another text`);
        else if (Number(body.note ?? 0) < note || Number(body.note ?? 0) > tried) {
          problems.push(`memory ${number} lost its note ${note}: ${body.note}`);
        }
      }
      const { body } = await request(address, 'GET', '/api/v1/status');
      if (body.memories !== saved.size) problems.push(`there are ${body.memories} memories, not ${saved.size}`);
      return problems;
    },
    size: () => saved.size,
  };
}

function mustBe({ status, body }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status} ${JSON.stringify(body)}`);
}
