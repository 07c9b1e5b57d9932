import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FieldError } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import {
  type AnswerRequest,
  type ConfigurationJudgement,
  type PluginCall,
  type PluginManifest,
  type PluginOutcome,
  RecollectError,
} from '@recollect/core';
import { type FromChild, OUT_OF_MEMORY, REQUESTS, type ToChild } from '../messages.js';
import { lowerPriority, type ProcessOptions, startProcess } from './start-process.js';

const { startMs, outputBytes, details: detailLimits } = limits.plugins;
/** How long what was told to stop may take for it, in milliseconds. */
const GRACE = { late: 1_000, stopped: 5_000 };
/** How much of what a process printed last is kept to explain its end, in characters. */
const TAIL = 2_000;

type Ended = Extract<PluginOutcome, { kind: 'failed' | 'timeout' }>;

/** A plugin's process that did not come to the point of taking calls. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly errors: readonly FieldError[];
  constructor(reason: string, errors: readonly FieldError[] = []) {
    super(reason);
    this.errors = errors;
  }
}

/** The process of one plugin, started and with its code loaded. It takes one call at a time. */
export interface PluginProcess {
  manifest: PluginManifest;
  /** False once it has ended, for whatever reason. */
  isAlive(): boolean;
  /** Runs a job or a hook within `timeMs`; the process is ended when it goes beyond a limit. */
  call(
    call: PluginCall,
    options: {
      configuration: Readonly<Record<string, unknown>>;
      answer: AnswerRequest;
      signal: AbortSignal;
      timeMs: number;
    },
  ): Promise<PluginOutcome>;
  judge(configuration: Readonly<Record<string, unknown>>): Promise<ConfigurationJudgement>;
  end(): Promise<void>;
}

/** What is told of a process while it does one thing. */
interface Watch {
  onMessage(message: FromChild): void;
  /** It has ended, or was ended: why, in words. */
  onEnd(ended: Ended): void;
}

/** Starts a plugin's process and loads its code. Throws {@link StartError}. */
export async function openPluginProcess(options: ProcessOptions & { entry: string }): Promise<PluginProcess> {
  const child = startProcess(options);
  // Told again once all of its threads are there.
  void lowerPriority(child);
  const exited = once(child, 'exit').catch(() => []);
  let watch: Watch | null = null;
  /** Why we ended it, if we did. */
  let reason: Ended | null = null;
  let printed = 0;
  let tail = '';

  const kill = (kind: Ended['kind'], summary: string) => {
    reason ??= { kind, summary, details: [] };
    child.kill('SIGKILL');
  };
  const countOutput = (text: string) => {
    printed += text.length;
    tail = (tail + text).slice(-TAIL);
    if (printed > outputBytes) kill('failed', `It printed more than ${outputBytes / 1024 / 1024} MiB and was ended.`);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', countOutput);
  child.on('message', (message: FromChild) => {
    if (message.type === 'log') countOutput(message.line);
    if (message.type === 'ready') void lowerPriority(child);
    if (message.type === 'crashed') reason ??= { kind: 'failed', summary: message.summary, details: message.details };
    watch?.onMessage(message);
  });
  const settle = () => {
    watch?.onEnd(reason ?? explainEnd(child, tail, options.memoryMb));
    watch = null;
  };
  // `close` comes once what it printed last has been read, unless something it has left behind holds the pipe.
  child.once('exit', () => setTimeout(settle, 200));
  child.once('close', settle);
  child.once('error', settle);

  const send = (message: ToChild) => {
    if (child.connected) child.send(message, () => {});
  };
  const isAlive = () => child.connected && reason === null && child.exitCode === null && child.signalCode === null;

  /** Has the process do something, one thing at a time, and waits for what `watching` settles with. */
  const during = <T>(watching: (resolve: (value: T) => void, reject: (error: Error) => void) => Watch): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      printed = 0;
      tail = '';
      watch = watching(resolve, reject);
      if (!isAlive()) settle();
    }).finally(() => {
      watch = null;
    });

  const manifest = await load(during, send, kill, options).catch(async (error) => {
    child.kill('SIGKILL');
    await exited;
    throw error;
  });

  return {
    manifest,
    isAlive,
    judge: (configuration) =>
      withinTime(kill, 'judge its configuration', () =>
        during<ConfigurationJudgement>((resolve, reject) => {
          send({ type: 'judge', configuration });
          return {
            onMessage: (message) => message.type === 'judged' && resolve(message.judgement),
            onEnd: ({ summary }) => reject(new StartError(summary)),
          };
        }),
      ),
    call: (call, { configuration, answer, signal, timeMs }) => {
      const log: string[] = [];
      const timers: NodeJS.Timeout[] = [];
      let isLate = false;
      let isStopped = false;
      const tooLate = `It did not finish within ${inWords(timeMs)} and was ended.`;
      const expire = setTimeout(() => {
        isLate = true;
        send({ type: 'abort' });
        timers.push(setTimeout(() => kill('timeout', tooLate), GRACE.late));
      }, timeMs);
      timers.push(expire);
      const stop = () => {
        if (isLate) return;
        isStopped = true;
        clearTimeout(expire);
        send({ type: 'abort' });
        timers.push(setTimeout(() => kill('failed', 'It was called off.'), GRACE.stopped));
      };
      const outcome = during<PluginOutcome>((resolve) => {
        const finish = (ended: Exclude<PluginOutcome, { kind: 'stopped' }>) =>
          resolve({ ...ended, details: [...ended.details, ...log] });
        const late = { kind: 'timeout' as const, summary: tooLate, details: [] };
        const requests = takeRequests(answer, send, kill);
        send({ type: 'call', call, configuration });
        return {
          onMessage(message) {
            if (message.type === 'request') requests(message);
            if (message.type === 'log' && log.length < detailLimits.items)
              log.push(message.line.slice(0, detailLimits.length));
            if (message.type !== 'done' && message.type !== 'failed') return;
            const { type, ...rest } = message;
            if (isLate) finish(late);
            else if (isStopped && type === 'failed') resolve({ kind: 'stopped' });
            else finish({ kind: type, ...rest } as Parameters<typeof finish>[0]);
          },
          onEnd: (ended) => (isStopped ? resolve({ kind: 'stopped' }) : finish(ended)),
        };
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      return outcome.finally(() => {
        signal.removeEventListener('abort', stop);
        for (const timer of timers) clearTimeout(timer);
      });
    },
    async end() {
      reason ??= { kind: 'failed', summary: 'It was ended.', details: [] };
      if (child.connected) child.disconnect();
      const late = setTimeout(() => child.kill('SIGKILL'), GRACE.late);
      await exited;
      clearTimeout(late);
    },
  };
}

type During = <T>(watching: (resolve: (value: T) => void, reject: (error: Error) => void) => Watch) => Promise<T>;
type Send = (message: ToChild) => void;
type Kill = (kind: Ended['kind'], summary: string) => void;

function load(
  during: During,
  send: Send,
  kill: Kill,
  { entry, hasNetwork, libraries }: ProcessOptions & { entry: string },
) {
  return withinTime(kill, 'start', () =>
    during<PluginManifest>((resolve, reject) => ({
      onMessage(message) {
        if (message.type === 'ready') send({ type: 'load', entry, hasNetwork, libraries });
        if (message.type === 'loaded') resolve(message.manifest);
        if (message.type === 'refused') reject(new StartError(message.reason, message.errors));
      },
      onEnd: ({ summary, details }) => reject(new StartError([summary, ...details.slice(-1)].join(' '))),
    })),
  );
}

async function withinTime<T>(kill: Kill, what: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(
    () => kill('failed', `It did not ${what} within ${inWords(startMs)} and was ended.`),
    startMs,
  );
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Answers what is asked, and ends a process that asks more at once than its side of the line ever would. */
function takeRequests(answer: AnswerRequest, send: Send, kill: Kill) {
  let open = 0;
  return ({ id, name, given }: Extract<FromChild, { type: 'request' }>) => {
    open += 1;
    if (open > REQUESTS.tolerated) return kill('failed', 'It asked for too much at once and was ended.');
    const told = answer({ name, given }).then(
      (value) => send({ type: 'answer', id, value }),
      (error) => send({ type: 'answer', id, error: sentenceOf(error, name) }),
    );
    void told.finally(() => {
      open -= 1;
    });
  };
}

/** What a plugin is told of an error: our own sentences, and nothing of what lies beneath. */
function sentenceOf(error: unknown, name: string): string {
  const isOurs = error instanceof RecollectError || (error instanceof Error && error.name === 'LeaseLostError');
  return `${name}: ${isOurs ? error.message : 'The store did not answer. Try again.'}`;
}

function explainEnd(child: ChildProcess, tail: string, memoryMb: number): Ended {
  const details = tail.trim() === '' ? [] : tail.trim().split('\n').slice(-5);
  if (tail.includes(OUT_OF_MEMORY.trim()) || tail.includes('heap out of memory')) {
    return { kind: 'failed', summary: `It used more than ${memoryMb} MB of memory and was ended.`, details: [] };
  }
  const how = child.exitCode === null ? (child.signalCode ?? 'it did not start') : `exit code ${child.exitCode}`;
  return { kind: 'failed', summary: `Its process ended in the middle (${how}).`, details };
}

function inWords(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} minutes`;
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
