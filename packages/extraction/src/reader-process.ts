import { Worker } from 'node:worker_threads';
import type { FromReader, ReaderJob, Reply, Request } from './messages.js';

// Reads documents in a worker thread, and reports one that exceeds its limits. Its host may end it at any time.
process.on('disconnect', () => process.exit());
// The terminal sends these signals to all of its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

/** Milliseconds between two looks at time and memory. */
const LOOK_EVERY = 50;
const MEGABYTE = 1_000_000;

const { thread, memoryLimit } = JSON.parse(process.argv[2] ?? '') as ReaderJob;
const worker = new Worker(new URL(`./${thread}-thread.js`, import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryLimit / MEGABYTE) },
});
const send = (message: FromReader, sent = () => {}) => void process.send?.(message, sent);
let current = { id: -1, timeLimit: 0 };
let look: NodeJS.Timeout | undefined;

function exceed(exceeded: 'time' | 'memory'): void {
  clearInterval(look);
  send({ id: current.id, exceeded }, () => process.exit());
}

/** Milliseconds of processor time that this process has used. */
function timeUsed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

process.on('message', (request: Request<object>) => {
  current = request;
  worker.postMessage(request);
});
worker.on('message', (reply: Reply) => {
  clearInterval(look);
  send(reply);
  if (!('hasBegun' in reply)) return;
  const before = { time: timeUsed(), memory: process.memoryUsage.rss() };
  look = setInterval(() => {
    if (timeUsed() > before.time + current.timeLimit) exceed('time');
    else if (process.memoryUsage.rss() > before.memory + memoryLimit) exceed('memory');
  }, LOOK_EVERY);
});
worker.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') exceed('memory');
  else send({ id: current.id, error: message }, () => process.exit());
});
