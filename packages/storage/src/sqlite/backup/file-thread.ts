import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { askToOpen } from '../ask-to-open.js';
import { checkFile, DamagedFileError } from './check-file.js';
import { type Comparison, compareFiles } from './compare-files.js';
import { copyPages, StoppedError } from './copy-pages.js';
import type { FileResult, FileWork } from './file-work.js';

/** The share of its time that a backup works: while the store is being written to, and otherwise. */
const DUTY = { busy: 0.03, idle: 0.75 };
/** Milliseconds after a write during which the store counts as busy. */
const BUSY_FOR_MS = 1_000;
/** The longest pause, in milliseconds. */
const MAX_PAUSE_MS = 2_000;

/**
 * How much more than the usual step one may count for. A longer step has waited for a processor, and kept none busy.
 */
const MAX_STEP_FACTOR = 4;
/** By how much the usual duration of a step grows with each step, in case the first ones were short. */
const GROWTH = 1.05;

/** Pauses the calling thread after each step, for longer while the store is being written to. */
interface Pace {
  rest(): void;
}

/**
 * Makes the pace of a backup. Any process may write to the store, so its WAL is watched: by path, because closing a
 * descriptor of it would release locks. `isStopped` ends a pause early.
 */
function createPace(storePath: string, isStopped: () => boolean): Pace {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  let lastWal = walOf(storePath);
  let changedAt = Number.NEGATIVE_INFINITY;
  let began = performance.now();
  let usual = Number.POSITIVE_INFINITY;
  return {
    rest() {
      const took = performance.now() - began;
      usual = Math.min(took, usual * GROWTH);
      const worked = Math.min(took, usual * MAX_STEP_FACTOR);
      const present = walOf(storePath);
      if (present !== lastWal) changedAt = performance.now();
      lastWal = present;
      const duty = performance.now() - changedAt < BUSY_FOR_MS ? DUTY.busy : DUTY.idle;
      const pause = Math.min(worked * (1 / duty - 1), MAX_PAUSE_MS);
      if (!isStopped()) Atomics.wait(signal, 0, 0, pause);
      began = performance.now();
    },
  };
}

function walOf(storePath: string): string {
  const wal = statSync(`${storePath}-wal`, { throwIfNoEntry: false });
  return wal === undefined ? '' : `${wal.mtimeMs} ${wal.size}`;
}

const BYTES_PER_STEP = 1024 * 1024;

/**
 * The SHA-256 of a file that no connection of this process has open, and its length. Calls `rest` after each megabyte.
 */
function hashFile(path: string, rest: () => void): { sha256: string; bytes: number } {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(BYTES_PER_STEP);
  const file = openSync(path, 'r');
  let bytes = 0;
  try {
    for (;;) {
      const read = readSync(file, buffer, 0, BYTES_PER_STEP, null);
      if (read === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(buffer.subarray(0, read));
      bytes += read;
      rest();
    }
  } finally {
    closeSync(file);
  }
}

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;
const work = workerData as FileWork;
const isStopped = () => Atomics.load(work.stopping, 0) !== 0;
const pace = createPace(work.kind === 'copy' ? work.source : work.target, isStopped);

function rest(): void {
  pace.rest();
  if (isStopped()) throw new StoppedError();
}

async function run(): Promise<FileResult | FileResult<Comparison>> {
  if (!(await askToOpen(port))) return { outcome: 'gone' };
  if (work.kind === 'compare') return { outcome: 'done', ...compareFiles(work.backup, work.target) };
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
