import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { limits } from '@recollect/contract/limits';
import { checkDefinition, validateConfiguration } from '../check-definition.js';
import type { PluginDefinition } from '../define-plugin.js';
import { describeDefinition } from '../describe-definition.js';
import { CHANNEL_FD, EXIT_MESSAGES, type FromChild, type ToChild } from '../messages.js';
import { readLines } from '../read-lines.js';

import { confine } from './confine.js';
import { type Channel, createChannel, createContext } from './create-context.js';

import { disarmThreads } from './disarm.js';

/** Interval between two checks, in milliseconds. */
const CHECK_INTERVAL_MS = 100;

/**
 * Runs in a separate thread, because a plugin in an endless loop cannot send output. Checks the whole process, because
 * V8's own limit covers only the heap; buffers lie outside of it.
 */
const WATCH = `
  const { workerData } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const { bytes, output, lastWords } = workerData;
  const parent = process.ppid;
  const end = (words) => {
    try { writeSync(2, words); } catch {}
    process.kill(process.pid, 'SIGKILL');
  };
  setInterval(() => {
    if (process.ppid !== parent) end('');
    if (process.memoryUsage.rss() > bytes) end(lastWords.memory);
    if (Atomics.load(output.printed, 0) > output.most) end(lastWords.output);
  }, ${CHECK_INTERVAL_MS});
`;

/** How much the process printed in the current call, shared with the watching thread. */
interface Output {
  printed: Int32Array<SharedArrayBuffer>;
  most: number;
}

/**
 * Kills this process when it exceeds the memory or output limit, or when its parent process has ended for any reason.
 */
function watchProcess(bytes: number, output: Output): void {
  const watcher = new Worker(WATCH, { eval: true, workerData: { bytes, output, lastWords: EXIT_MESSAGES } });
  watcher.unref();
  disarmThreads(watcher);
}

// The process of one plugin. It loads the plugin's code once and then runs one call at a time.

const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
const exit = process.exit.bind(process);
const send = (message: FromChild, sent?: () => void) => void socket.write(`${JSON.stringify(message)}\n`, sent);

let plugin: PluginDefinition | null = null;
let home = '';
let current: { line: Channel; abort: AbortController } | null = null;

/**
 * Counts the output of this call. Beyond the limit output is dropped and the watching thread kills the process.
 */
const output: Output = { printed: new Int32Array(new SharedArrayBuffer(4)), most: limits.plugins.outputBytes };
function countOutput(text: string): boolean {
  if (Atomics.load(output.printed, 0) > output.most) return false;
  Atomics.add(output.printed, 0, Math.min(text.length, output.most + 1));
  return true;
}
replaceStandardStreams(countOutput);

async function load({ entry, hasNetwork, libraries }: Extract<ToChild, { type: 'load' }>): Promise<void> {
  home = new URL('.', entry).href;
  confine(socket, hasNetwork, libraries);
  try {
    const { default: exported } = await import(entry);
    const errors = checkDefinition(exported);
    if (errors.length > 0) {
      const messages = errors.map(
        ({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.') || 'it'} ${message}`,
      );
      return send({
        type: 'refused',
        reason: `Its default export is not a valid definition for definePlugin: ${messages.join('; ')}.`,
        errors,
      });
    }
    const loaded = exported as PluginDefinition;
    plugin = loaded;
    send({ type: 'loaded', manifest: describeDefinition(loaded) });
  } catch (error) {
    // Node prints the location of a syntax error only to standard error, and only when nothing catches the error.
    if (error instanceof SyntaxError) {
      process.removeAllListeners('uncaughtException');
      setImmediate(() => {
        throw error;
      });
      return;
    }
    const { summary, details } = explainError(error, home);
    send({
      type: 'refused',
      reason: [`Its code does not load. ${summary}`, ...details.slice(0, 1)].join(' '),
      errors: [],
    });
  }
}

async function call({ call: wanted, configuration: given }: Extract<ToChild, { type: 'call' }>): Promise<void> {
  if (plugin === null) return;
  Atomics.store(output.printed, 0, 0);
  const judged = validateConfiguration(plugin.configuration, given);
  if (judged.kind === 'invalid') {
    const messages = judged.errors.map(({ pointer, message }) => `${pointer.slice(1) || 'it'} ${message}`).join('; ');
    const summary = `Its configuration is invalid: ${messages}. Run recollect plugins configure ${plugin.slug} to fix it.`;
    return send({ type: 'failed', summary, details: [] });
  }
  const abort = new AbortController();
  const line = createChannel(send);
  const log = (text: string) => {
    if (countOutput(text)) send({ type: 'log', line: text });
  };
  const context = createContext(judged.configuration, line, abort.signal, log);
  current = { line, abort };
  try {
    const result =
      wanted.kind === 'job'
        ? await jobOf(plugin, wanted.jobId).run(context)
        : await plugin.onCapture?.(wanted.event, context);
    send({ type: 'done', ...toReport(result) });
  } catch (error) {
    send({ type: 'failed', ...explainError(error, home) });
  } finally {
    line.end();
    current = null;
  }
}

function jobOf({ jobs = {} }: PluginDefinition, jobId: string) {
  const job = Object.hasOwn(jobs, jobId) ? jobs[jobId] : undefined;
  if (job === undefined) throw new Error('The plugin no longer has this job.');
  return job;
}

function toReport(result: unknown): Omit<Extract<FromChild, { type: 'done' }>, 'type'> {
  if (typeof result === 'string') return { status: 'success', summary: result, details: [] };
  const { status, summary, details } = (typeof result === 'object' && result !== null ? result : {}) as {
    [key: string]: unknown;
  };
  return {
    status: status === 'warning' ? 'warning' : 'success',
    summary: typeof summary === 'string' && summary.trim() !== '' ? summary : 'Done.',
    details: Array.isArray(details) ? details.map(String) : [],
  };
}

function handleMessage(message: ToChild): void {
  switch (message.type) {
    case 'load':
      void load(message);
      break;
    case 'judge':
      send({ type: 'judged', judgement: validateConfiguration(plugin?.configuration, message.configuration) });
      break;
    case 'call':
      void call(message);
      break;
    case 'abort':
      current?.abort.abort();
      break;
    case 'answer':
      current?.line.answer(message);
  }
}

readLines(socket, Number.POSITIVE_INFINITY, { onLine: (text) => handleMessage(JSON.parse(text)), onTooLong: () => {} });
socket.on('close', () => exit(0)).on('error', () => exit(0));
process.on('uncaughtException', (error) => {
  const { summary, details } = explainError(error, home);
  const messages = summary.replace('It threw:', 'Uncaught error:');
  send({ type: 'crashed', summary: messages, details }, () => exit(1));
});
// The terminal sends these signals to all of its processes. This process ends only when its host says so.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
watchProcess(Number(process.argv[2]) * 1024 * 1024, output);
send({ type: 'ready' });

/** Describes an error for the plugin's author: the message, and the stack frames in the plugin's own files. */
function explainError(error: unknown, home: string): { summary: string; details: string[] } {
  if (!(error instanceof Error)) return { summary: `It threw: ${String(error)}`, details: [] };
  const ownFrames = (error.stack ?? '').split('\n').filter((line) => home !== '' && line.includes(home));
  return {
    summary: `It threw: ${error.message}`,
    details: ownFrames.slice(0, 5).map((line) => line.replace(home, '').trim()),
  };
}

/**
 * Replaces the standard streams of this process by plain streams. Node's own are sockets where the descriptors are
 * pipes, and `process.stdout.constructor` would give a plugin the class that connects. Output beyond the limit that
 * `countOutput` knows is dropped.
 */
function replaceStandardStreams(countOutput: (text: string) => boolean): void {
  const streams = { stdin: Readable.from([]), stdout: openOutput(1, countOutput), stderr: openOutput(2, countOutput) };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: false, writable: false, enumerable: true });
  }
}

function openOutput(fd: number, countOutput: (text: string) => boolean): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = String(chunk);
      try {
        if (countOutput(text)) writeSync(fd, text);
      } catch {
        // The host closed its end. The process ends with its channel.
      }
      done();
    },
  });
  return Object.assign(stream, { fd });
}
