import { Worker } from 'node:worker_threads';
import { OUT_OF_MEMORY } from '../messages.js';

/** Between two looks, in milliseconds. */
const EVERY = 100;

/**
 * Run in a thread of its own, since the plugin's may be in an endless loop. V8's own limit covers its heap alone; buffers
 * lie outside of it.
 */
const WATCH = `
  const { workerData } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const parent = process.ppid;
  const end = () => process.kill(process.pid, 'SIGKILL');
  setInterval(() => {
    if (process.ppid !== parent) end();
    if (process.memoryUsage.rss() > workerData.bytes) {
      try { writeSync(2, workerData.says); } catch {}
      end();
    }
  }, ${EVERY});
`;

/** Ends this process once it holds more than that, or soon after the one that started it has ended, however that did. */
export function watchProcess(bytes: number): void {
  new Worker(WATCH, { eval: true, workerData: { bytes, says: OUT_OF_MEMORY } }).unref();
}
