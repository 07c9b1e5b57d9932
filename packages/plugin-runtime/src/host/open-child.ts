import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { limits } from '@recollect/contract/limits';
import type { PluginOutcome } from '@recollect/core';
import { CHANNEL_FD, EXIT_MESSAGES, type FromChild, type ToChild } from '../messages.js';
import { readLines } from '../read-lines.js';
import { lowerPriority, type ProcessOptions, startProcess, withoutNetwork } from './start-process.js';

const { outputBytes } = limits.plugins;
/** Maximum length of a message in characters: room for a memory's text and more. */
const MAX_MESSAGE_CHARACTERS = 4 * limits.body.bytes;
/** How many characters of the last output are kept to explain why the process ended. */
const MAX_TAIL_CHARACTERS = 2_000;
const FLOODED = `It printed more than ${outputBytes / 1024 / 1024} MiB and was killed.`;

/** How long a process may take to exit after it was asked to, in milliseconds. */
const GRACE_MS = 1_000;

/** Why a process ended or was killed. */
type Termination = Extract<PluginOutcome, { kind: 'failed' | 'timeout' }>;

/** Callbacks while a process performs one task. */
interface Watch {
  onMessage(message: FromChild): void;
  onEnd(ended: Termination, printed: string): void;
}

/** A plugin's process, with limits on its output and its messages. */
export interface Child {
  send(message: ToChild): void;
  /** Kills the process and records why. */
  kill(kind: Termination['kind'], summary: string): void;
  isAlive(): boolean;
  /** Lets the process perform one task at a time. Settles as `watching` does. */
  perform<T>(watching: (resolve: (value: T) => void, reject: (error: Error) => void) => Watch): Promise<T>;
  /** Asks the process to exit, and kills it after a grace period. */
  end(): Promise<void>;
}

/** Starts a plugin's process. Nothing that the process does, prints or sends throws here. */
export async function openChild(options: ProcessOptions): Promise<Child> {
  // Loaded with the first process, because most commands start none.
  const { parseMessage } = await import('./parse-message.js');
  const { hasNetwork, usesNamespaces = true } = options;
  const child = startProcess(options, !hasNetwork && usesNamespaces ? await withoutNetwork() : []);
  const line = child.stdio[CHANNEL_FD] as Duplex;
  const exited = once(child, 'exit').catch(() => []);
  if (child.pid !== undefined) {
    const { pid } = child;
    options.running.add(pid);
    child.once('exit', () => options.running.delete(pid));
  }
  let watch: Watch | null = null;
  /** Why the host ended the process; null when it did not. */
  let reason: Termination | null = null;
  let hasEnded = false;
  let printed = 0;
  let tail = '';

  const kill = (kind: Termination['kind'], summary: string, details: readonly string[] = []) => {
    reason ??= { kind, summary, details };
    child.kill('SIGKILL');
  };
  const countOutput = (text: string) => {
    printed += text.length;
    tail = (tail + text).slice(-MAX_TAIL_CHARACTERS);
    if (printed > outputBytes) kill('failed', FLOODED);
  };
  const settle = () => {
    hasEnded = true;
    watch?.onEnd(reason ?? describeExit(child, tail, options.memoryMb), tail);
    watch = null;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', countOutput);
  readLines(line, MAX_MESSAGE_CHARACTERS, {
    onLine(text) {
      if (reason !== null) return;
      const message = parseMessage(text);
      if (message === null) return kill('failed', 'It sent an invalid message to its host and was killed.');
      if (message.type === 'crashed') return kill('failed', message.summary, message.details);
      if (message.type === 'log') countOutput(message.line);
      // Not earlier: on a busy machine the start itself would take too long.
      if (message.type === 'loaded') void lowerPriority(child);
      watch?.onMessage(message);
    },
    onTooLong: () => kill('failed', 'It sent a message that is too long and was killed.'),
  });
  // The pipes can break at any time. The process's own events report its end.
  for (const stream of [line, child.stdout, child.stderr]) stream?.on('error', () => {});
  // `close` fires once the last output has been read, unless something left behind holds the pipe; hence the timer.
  // On a busy machine the timer can fire before the pipes are read, so setImmediate gives them one more turn.
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
    perform<T>(watching: (resolve: (value: T) => void, reject: (error: Error) => void) => Watch): Promise<T> {
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
      reason ??= { kind: 'failed', summary: 'It was stopped.', details: [] };
      line.end();
      const late = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      if (child.pid !== undefined) await exited;
      clearTimeout(late);
    },
  };
}

function describeExit(child: ChildProcess, tail: string, memoryMb: number): Termination {
  const details = tail.trim() === '' ? [] : tail.trim().split('\n').slice(-5);
  if (tail.includes(EXIT_MESSAGES.output.trim())) return { kind: 'failed', summary: FLOODED, details: [] };
  // V8 aborts when its heap is full, and its message may be lost; a plugin has no other native code that could abort.
  const isOutOfMemory = child.signalCode === 'SIGABRT' || tail.includes('heap out of memory');
  if (isOutOfMemory || tail.includes(EXIT_MESSAGES.memory.trim())) {
    return { kind: 'failed', summary: `It used more than ${memoryMb} MB of memory and was killed.`, details: [] };
  }
  const how = child.exitCode === null ? (child.signalCode ?? 'it did not start') : `exit code ${child.exitCode}`;
  return { kind: 'failed', summary: `Its process exited unexpectedly (${how}).`, details };
}
