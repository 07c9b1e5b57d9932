import { Worker } from 'node:worker_threads';
import { LAST_WORDS } from '../messages.js';

/** Between two looks, in milliseconds. */
const EVERY = 100;

/**
 * Run in a thread of its own, since the plugin's may be in an endless loop, in which nothing that it writes gets out. V8's
 * own limit covers its heap alone; buffers lie outside of it.
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

/** What a process has printed in the present call, shared with the thread that watches it. */
export interface Output {
  printed: Int32Array<SharedArrayBuffer>;
  most: number;
}

/**
 * Ends this process once it holds or has printed more than that, or soon after the one that started it has ended,
 * however that did.
 */
export function watchProcess(bytes: number, output: Output): void {
  new Worker(WATCH, { eval: true, workerData: { bytes, output, lastWords: LAST_WORDS } }).unref();
}
