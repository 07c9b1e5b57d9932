// @ts-check
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootstrapError, report } from './report.mjs';

/** Milliseconds between two looks at a lock, and between two signs of life of its holder. */
const INTERVAL = 500;
/** Milliseconds without a sign of life after which a holder is gone, even if another process has its number. */
const GONE_AFTER = 30_000;

/**
 * Does work that one process does at a time, such as installing. The others wait for their turn.
 * @template T
 * @param {string} path a file that exists while a process works
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  if (!(await take(path))) {
    report('another command is installing or building; waiting for it');
    do await sleep(INTERVAL);
    while (!(await take(path)));
  }
  const alive = setInterval(() => touch(path), INTERVAL);
  try {
    return await work();
  } finally {
    clearInterval(alive);
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
async function take(path) {
  if (isLeftBehind(path)) rmSync(path, { force: true });
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') return false;
    throw new BootstrapError(`${dirname(path)} cannot be written, which installing and building need: ${message}.`);
  }
  // Two may have removed what a third left behind: then the later one has it.
  await sleep(50);
  return holderOf(path) === process.pid;
}

/** @param {string} path */
function isLeftBehind(path) {
  const holder = holderOf(path);
  if (holder === null) return false;
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return !isRunning(holder) || Date.now() - mtimeMs > GONE_AFTER;
}

/**
 * @param {string} path @returns {number | null} the process that has a lock; null if it is free, or just being taken
 */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || null;
  } catch {
    return null;
  }
}

/** Whether a process with this number runs. @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another account's process exists, but takes no signals.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody removed the file. The lock is lost, but the work is not.
  }
}
