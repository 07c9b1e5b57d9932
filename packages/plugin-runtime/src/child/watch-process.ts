import { Worker } from 'node:worker_threads';
import { EXIT_MESSAGES } from '../messages.js';
import { disarmThreads } from './disarm.js';

/** Interval between two checks, in milliseconds. */
const EVERY = 100;

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
  }, ${EVERY});
`;

/** How much the process printed in the current call, shared with the watching thread. */
export interface Output {
  printed: Int32Array<SharedArrayBuffer>;
  most: number;
}

/**
 * Kills this process when it exceeds the memory or output limit, or when its parent process has ended for any reason.
 */
export function watchProcess(bytes: number, output: Output): void {
  const watcher = new Worker(WATCH, { eval: true, workerData: { bytes, output, lastWords: EXIT_MESSAGES } });
  watcher.unref();
  disarmThreads(watcher);
}
