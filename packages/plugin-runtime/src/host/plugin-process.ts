import type { FieldError } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import {
  type AnswerRequest,
  type ConfigurationValidation,
  LeaseLostError,
  type PluginCall,
  type PluginManifest,
  type PluginOutcome,
  RecollectError,
} from '@recollect/core';
import { type FromChild, REQUESTS } from '../messages.js';
import { type Child, openChild } from './open-child.js';
import type { ProcessOptions } from './start-process.js';

const { startMs, details: detailLimits } = limits.plugins;
/** How long a call may take to end after its signal aborts, in milliseconds. */
const GRACE_MS = { late: 1_000, stopped: 5_000 };

/** The plugin's process failed before it could accept calls. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly errors: readonly FieldError[];
  constructor(reason: string, errors: readonly FieldError[] = []) {
    super(reason);
    this.errors = errors;
  }
}

interface CallOptions {
  configuration: Readonly<Record<string, unknown>>;
  answer: AnswerRequest;
  signal: AbortSignal;
  timeMs: number;
}

/** A running plugin process with its code loaded. It handles one call at a time. */
export interface PluginProcess {
  manifest: PluginManifest;
  /** False once the process has ended for any reason. */
  isAlive(): boolean;
  /** Runs a job or a hook. Kills the process when it exceeds `timeMs` or another limit. */
  call(call: PluginCall, options: CallOptions): Promise<PluginOutcome>;
  validateConfiguration(configuration: Readonly<Record<string, unknown>>): Promise<ConfigurationValidation>;
  end(): Promise<void>;
}

/** Starts a plugin's process and loads its code. Throws {@link StartError}. */
export async function openPluginProcess(options: ProcessOptions & { entry: string }): Promise<PluginProcess> {
  const child = await openChild(options);
  const manifest = await load(child, options).catch(async (error) => {
    await child.end();
    throw error;
  });
  return {
    manifest,
    isAlive: child.isAlive,
    validateConfiguration: (configuration) =>
      withinTime(child, 'validate its configuration', () =>
        child.perform<ConfigurationValidation>((resolve, reject) => {
          child.send({ type: 'judge', configuration });
          return {
            onMessage: (message) => message.type === 'judged' && resolve(message.judgement),
            onEnd: ({ summary }) => reject(new StartError(summary)),
          };
        }),
      ),
    call: (call, callOptions) => callChild(child, call, callOptions),
    end: child.end,
  };
}

function load(child: Child, { entry, hasNetwork, libraries }: ProcessOptions & { entry: string }) {
  return withinTime(child, 'start', () =>
    child.perform<PluginManifest>((resolve, reject) => ({
      onMessage(message) {
        if (message.type === 'ready') child.send({ type: 'load', entry, hasNetwork, libraries });
        if (message.type === 'loaded') resolve(message.manifest);
        if (message.type === 'refused') reject(new StartError(message.reason, message.errors));
      },
      onEnd: ({ summary, details }, printed) =>
        reject(new StartError(explainSyntax(printed) ?? [summary, ...details.slice(-1)].join(' '))),
    })),
  );
}

/** Extracts a syntax error from Node's output for an uncaught error: file and line come first, the error last. */
function explainSyntax(printed: string): string | null {
  const error = /^SyntaxError: .*$/m.exec(printed)?.[0];
  const [, file, line] = /^(?:file:\/\/)?\S*\/([^/\s]+):(\d+)$/m.exec(printed) ?? [];
  if (error === undefined) return null;
  return `Its code does not load. ${error}${file === undefined ? '' : `, in ${file}, line ${line}`}.`;
}

async function withinTime<T>(child: Child, what: string, work: () => Promise<T>): Promise<T> {
  const tooLate = () => child.kill('failed', `It did not ${what} within ${formatDuration(startMs)} and was killed.`);
  const timer = setTimeout(tooLate, startMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

async function callChild(
  child: Child,
  call: PluginCall,
  { configuration, answer, signal, timeMs }: CallOptions,
): Promise<PluginOutcome> {
  const log: string[] = [];
  const timers: NodeJS.Timeout[] = [];
  let isLate = false;
  let isStopped = false;
  const tooLate = `It did not finish within ${formatDuration(timeMs)} and was killed.`;
  const expire = setTimeout(() => {
    isLate = true;
    child.send({ type: 'abort' });
    timers.push(setTimeout(() => child.kill('timeout', tooLate), GRACE_MS.late));
  }, timeMs);
  timers.push(expire);
  const stop = () => {
    if (isLate) return;
    isStopped = true;
    clearTimeout(expire);
    child.send({ type: 'abort' });
    timers.push(setTimeout(() => child.kill('failed', 'It was cancelled.'), GRACE_MS.stopped));
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await child.perform<PluginOutcome>((resolve) => {
      const finish = (ended: Exclude<PluginOutcome, { kind: 'stopped' }>) =>
        resolve({ ...ended, details: [...ended.details, ...log] });
      const takeRequest = createRequestHandler(child, answer);
      child.send({ type: 'call', call, configuration });
      return {
        onMessage(message) {
          if (message.type === 'request') takeRequest(message);
          if (message.type === 'log' && log.length < detailLimits.items) {
            log.push(`log: ${message.line.slice(0, detailLimits.length)}`);
          }
          if (message.type !== 'done' && message.type !== 'failed') return;
          const { summary, details } = message;
          if (isLate) finish({ kind: 'timeout', summary: tooLate, details: [] });
          else if (message.type === 'done') finish({ kind: 'done', status: message.status, summary, details });
          else if (isStopped) resolve({ kind: 'stopped' });
          else finish({ kind: 'failed', summary, details });
        },
        onEnd: (ended) => (isStopped ? resolve({ kind: 'stopped' }) : finish(ended)),
      };
    });
  } finally {
    signal.removeEventListener('abort', stop);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Answers requests. Kills a process with more open requests than the runtime in that process would ever send. */
function createRequestHandler(child: Child, answer: AnswerRequest) {
  let open = 0;
  return ({ id, name, args }: Extract<FromChild, { type: 'request' }>): void => {
    open += 1;
    if (open > REQUESTS.tolerated) {
      child.kill('failed', 'It sent too many requests at once and was killed.');
      return;
    }
    void answer({ name, args })
      .then(
        (value) => child.send({ type: 'answer', id, value }),
        (error) => child.send({ type: 'answer', id, error: toErrorMessage(error, name) }),
      )
      .finally(() => {
        open -= 1;
      });
  };
}

/** The error message for the plugin. It never reveals internal errors, only Recollect's own messages. */
function toErrorMessage(error: unknown, name: string): string {
  const isOurs = error instanceof RecollectError || error instanceof LeaseLostError;
  return `${name}: ${isOurs ? error.message : 'The store did not answer. Try again.'}`;
}

function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} minutes`;
  return count(seconds, 'second');
}
