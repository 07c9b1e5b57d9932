import { closeSync, fsyncSync, openSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { askToOpen } from '../ask-to-open.js';
import { checkFile, DamagedFileError } from './check-file.js';
import { copyPages, StoppedError } from './copy-pages.js';
import type { FileResult, FileWork } from './file-work.js';
import { hashFile } from './hash-file.js';
import { createPace } from './pace.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;
const work = workerData as FileWork;
const isStopped = () => Atomics.load(work.stopping, 0) !== 0;
const pace = createPace(work.kind === 'copy' ? work.source : work.target, isStopped);

function rest(): void {
  pace.rest();
  if (isStopped()) throw new StoppedError();
}

async function run(): Promise<FileResult> {
  if (!(await askToOpen(port))) return { outcome: 'gone' };
  if (work.kind === 'copy') await copyPages(work.source, work.target, rest);
  const facts = checkFile(work.target);
  rest();
  const { sha256, bytes } = hashFile(work.target, rest);
  sync(work.target);
  return { outcome: 'done', ...facts, sha256, bytes };
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function resultOf(error: unknown): FileResult {
  if (error instanceof StoppedError) return { outcome: 'stopped' };
  const { message, code = 'ERROR' } = error as Error & { code?: string };
  if (error instanceof DamagedFileError) return { outcome: 'damaged', message };
  return { outcome: 'failed', message, code };
}

// On Linux this sets the priority of this thread only. Elsewhere it would set the whole process's.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
run()
  .catch(resultOf)
  .then((result) => port.postMessage(result));
