import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpAnswer, McpMessage } from '@recollect/contract';
import { readLines } from '@recollect/mcp/lines';
import type { Upstream } from './upstream.js';

/** Milliseconds between two looks at whether messages should go elsewhere. */
const PACE = 5_000;

/** How many upstreams may end over one message. */
const TRIES = 3;

/**
 * Milliseconds for which answers are waited for when the client has sent its last message: calls are stopped after ten
 * seconds.
 */
const LAST_ANSWERS = 20_000;

/** JSON-RPC's code for an internal error. */
const INTERNAL_ERROR = -32603;

export interface RelayOptions {
  input: Readable;
  /** Receives only messages of the protocol. */
  output: Writable;
  /** Opens the upstream that is best now. What it sends besides answers goes to `onOther`. */
  open(onOther: (message: McpAnswer) => void): Promise<Upstream>;
}

export interface Relay {
  /** Resolves with an exit code when the client has disconnected, or when the first upstream did not start. */
  ended: Promise<number>;
  close(): Promise<void>;
}

/**
 * Passes the messages of one client, one per line, on to what answers them. When that ends, or a better upstream
 * appears, messages go elsewhere: the client's handshake is repeated there, and what was not answered is sent again, so
 * the client notices nothing.
 */
export function createRelay({ input, output, open }: RelayOptions): Relay {
  const ending = Promise.withResolvers<number>();
  const pending = new Set<Promise<void>>();
  const closing = new Set<Promise<void>>();
  /** The first messages of the client's session, before revision 2026-07-28. */
  const handshake: McpMessage[] = [];
  let upstream: Promise<Upstream> | null = null;
  let hasAnswered = false;
  /** The answer to `initialize`, which later messages depend on. */
  let isOpen: Promise<void> = Promise.resolve();

  const write = (message: object) => void output.write(`${JSON.stringify(message)}\n`);

  const begin = async () => {
    const opened = await open(write);
    void opened.ended.then((code) => {
      if (!hasAnswered && code !== 0) ending.resolve(code);
    });
    for (const message of handshake) await opened.answer(message);
    return opened;
  };

  const retire = (old: Promise<Upstream>) => {
    if (upstream === old) upstream = null;
    const closed: Promise<void> = old
      .then((opened) => opened.close())
      .catch(() => {})
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };

  /** Retires an upstream that is no longer the best. */
  const review = async () => {
    const reviewed = upstream;
    if (reviewed === null) return;
    const isCurrent = await reviewed.then((opened) => opened.isCurrent()).catch(() => false);
    if (!isCurrent && upstream === reviewed) retire(reviewed);
  };

  const answer = async (message: McpMessage): Promise<McpAnswer | null> => {
    for (let tries = 1; ; tries++) {
      upstream ??= begin();
      const used = upstream;
      try {
        const answered = await (await used).answer(message);
        hasAnswered = true;
        return answered;
      } catch (error) {
        retire(used);
        if (tries === TRIES) throw error;
      }
    }
  };

  const pass = async (message: McpMessage) => {
    const { id = null, method } = message;
    try {
      const answered = await answer(message);
      if (answered !== null) write(answered);
    } catch {
      const sentence = 'Recollect stopped answering. Run recollect status to see what is wrong.';
      if (id !== null) write({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: sentence } });
    }
    if (method === 'initialize' || method === 'notifications/initialized') handshake.push(message);
  };

  const track = (work: Promise<void>) => {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  };

  readLines(input, {
    onInvalid: ({ id, code, message }) => write({ jsonrpc: '2.0', id, error: { code, message } }),
    onMessage(message) {
      const passed = isOpen.then(() => pass(message));
      if (message.method === 'initialize') isOpen = passed;
      track(passed);
    },
  });
  // It starts before the first message, which then waits less.
  upstream = begin();
  upstream.catch(() => {});

  const timer = setInterval(() => void review(), PACE).unref();
  const finish = async () => {
    // A line that ended with the input is handled in this turn.
    await new Promise(setImmediate);
    const answered = async () => {
      while (pending.size > 0) await Promise.all(pending);
    };
    await Promise.race([answered(), sleep(LAST_ANSWERS, null, { ref: false })]);
    const last = await upstream?.catch(() => null);
    await last?.close();
    ending.resolve(hasAnswered ? 0 : ((await last?.ended) ?? 0));
  };
  input.once('end', finish);
  input.once('close', finish);
  output.once('close', () => ending.resolve(0));

  return {
    ended: ending.promise,
    async close() {
      clearInterval(timer);
      if (upstream !== null) retire(upstream);
      await Promise.all(closing);
    },
  };
}
