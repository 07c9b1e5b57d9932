import { Worker } from 'node:worker_threads';

/** Run in a thread of its own, since the plugin's may be in an endless loop. */
const WATCH = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500);
`;

/** Ends this process soon after the one that started it has ended, however that did. */
export function watchParent(): void {
  new Worker(WATCH, { eval: true }).unref();
}
