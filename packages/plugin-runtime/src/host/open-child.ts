import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { limits } from '@recollect/contract/limits';
import type { PluginOutcome } from '@recollect/core';
import { type FromChild, LAST_WORDS, LINE, type ToChild } from '../messages.js';
import { readLines } from '../read-lines.js';
import { lowerPriority, type ProcessOptions, startProcess } from './start-process.js';

const { outputBytes } = limits.plugins;
/** Characters of one message: a memory's text and some more. */
const LONGEST = 4 * limits.body.bytes;
/** How much of what a process printed last is kept to explain its end, in characters. */
const TAIL = 2_000;
const FLOODED = `It printed more than ${outputBytes / 1024 / 1024} MiB and was ended.`;

/** How long one that was told to end may take for it, in milliseconds. */
const GRACE = 1_000;

/** How a process ended, or was ended, in words. */
export type Ended = Extract<PluginOutcome, { kind: 'failed' | 'timeout' }>;

/** What is told of a process while it does one thing. */
export interface Watch {
  onMessage(message: FromChild): void;
  onEnd(ended: Ended, printed: string): void;
}

/** A plugin's process, with the limits on what it prints and says. */
export interface Child {
  send(message: ToChild): void;
  /** Ends it, and says why. */
  kill(kind: Ended['kind'], summary: string): void;
  isAlive(): boolean;
  /** Has it do something, one thing at a time, and waits for what `watching` settles with. */
  during<T>(watching: (resolve: (value: T) => void, reject: (error: Error) => void) => Watch): Promise<T>;
  /** Lets it end. */
  end(): Promise<void>;
}

/** Starts the process of a plugin. Nothing that it does, prints or says throws here. */
export async function openChild(options: ProcessOptions): Promise<Child> {
  // Loaded with the first process: most commands start none.
  const { parseMessage } = await import('./parse-message.js');
  const child = startProcess(options);
  const line = child.stdio[LINE] as Duplex;
  const exited = once(child, 'exit').catch(() => []);
  let watch: Watch | null = null;
  /** Why we ended it, if we did. */
  let reason: Ended | null = null;
  let hasEnded = false;
  let printed = 0;
  let tail = '';

  const kill = (kind: Ended['kind'], summary: string, details: readonly string[] = []) => {
    reason ??= { kind, summary, details };
    child.kill('SIGKILL');
  };
  const countOutput = (text: string) => {
    printed += text.length;
    tail = (tail + text).slice(-TAIL);
    if (printed > outputBytes) kill('failed', FLOODED);
  };
  const settle = () => {
    hasEnded = true;
    watch?.onEnd(reason ?? explainEnd(child, tail, options.memoryMb), tail);
    watch = null;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', countOutput);
  readLines(line, LONGEST, {
    onLine(text) {
      if (reason !== null) return;
      const message = parseMessage(text);
      if (message === null) return kill('failed', 'It wrote what is no message to its host and was ended.');
      if (message.type === 'crashed') return kill('failed', message.summary, message.details);
      if (message.type === 'log') countOutput(message.line);
      // Not before: on a busy machine the start itself would take too long.
      if (message.type === 'loaded') void lowerPriority(child);
      watch?.onMessage(message);
    },
    tooLong: () => kill('failed', 'It sent more at once than a message may hold and was ended.'),
  });
  // The other end may be gone at any time; that it has ended is told by the process itself.
  for (const stream of [line, child.stdout, child.stderr]) stream?.on('error', () => {});
  // `close` comes once what it printed last has been read, unless something it has left behind holds the pipe.
  // On a busy machine the time is over before the pipes are looked at, so they get one more turn.
  child.once('exit', () => setTimeout(() => setImmediate(settle), 200));
  child.once('close', settle);
  child.once('error', settle);

  const isAlive = () => !hasEnded && reason === null && child.exitCode === null && child.signalCode === null;

  return {
    send(message) {
      if (line.writable) line.write(`${JSON.stringify(message)}\n`);
    },
    kill,
    isAlive,
    during<T>(watching: (resolve: (value: T) => void, reject: (error: Error) => void) => Watch): Promise<T> {
      const done = new Promise<T>((resolve, reject) => {
        printed = 0;
        tail = '';
        watch = watching(resolve, reject);
        if (!isAlive()) settle();
      });
      return done.finally(() => {
        watch = null;
      });
    },
    async end() {
      reason ??= { kind: 'failed', summary: 'It was ended.', details: [] };
      line.end();
      const late = setTimeout(() => child.kill('SIGKILL'), GRACE);
      if (child.pid !== undefined) await exited;
      clearTimeout(late);
    },
  };
}

function explainEnd(child: ReturnType<typeof startProcess>, tail: string, memoryMb: number): Ended {
  const details = tail.trim() === '' ? [] : tail.trim().split('\n').slice(-5);
  if (tail.includes(LAST_WORDS.output.trim())) return { kind: 'failed', summary: FLOODED, details: [] };
  if (tail.includes(LAST_WORDS.memory.trim()) || tail.includes('heap out of memory')) {
    return { kind: 'failed', summary: `It used more than ${memoryMb} MB of memory and was ended.`, details: [] };
  }
  const how = child.exitCode === null ? (child.signalCode ?? 'it did not start') : `exit code ${child.exitCode}`;
  return { kind: 'failed', summary: `Its process ended in the middle (${how}).`, details };
}
