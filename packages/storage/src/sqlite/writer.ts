import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecollectError, type StoreProblem } from '@recollect/core';
import { rejectionOf } from '../rejection-of.js';
import type { StatementRunner } from './connection.js';
import { DAMAGE_MESSAGE, explainFault, isDamage, isFull, isOutcomeUnknown, lacksRoom } from './explain-fault.js';
import { APPLICATION_ID } from './identify-store.js';
import { SqliteError } from './sqlite-error.js';

/**
 * Milliseconds until a store is reopened after its disk failed, and again after an attempt that failed; at least as
 * long as the attempt took, since the check of a large store takes long.
 */
const REOPEN_AFTER = 500;

/** After a failed sync or read, until the store has been reopened. */
const PAUSED: StoreProblem = {
  code: 'STORE_HALTED',
  retryAfter: 2,
  message:
    'The disk failed during a write or a read. No changes are accepted until Recollect has reopened and checked the store, which it does automatically. If this lasts, check the disk, then restart Recollect.',
};

/** Milliseconds that a read which found damage waits for a second look. */
const CHECK_INTERVAL_MS = 2_000;

/** After damage was found while the store was open. */
export const DAMAGED: StoreProblem = { code: 'STORE_DAMAGED', message: DAMAGE_MESSAGE };

/** While the store is being opened. */
const GONE: StoreProblem = {
  code: 'STORE_GONE',
  message: 'The store was removed or replaced while it was being opened. Start Recollect again.',
};

export interface Writer extends StatementRunner {
  /** Runs a statement that changes nothing, even while changes are rejected. */
  runAnyway: StatementRunner['run'];
  /**
   * Stops accepting changes until the program is restarted. The first problem counts, unless a later one explains it: a
   * copy over the file cuts it to nothing first, which looks like damage.
   */
  halt(problem: StoreProblem, options?: { explainsDamage?: boolean }): void;
  /**
   * Looks again after a read that found damage, which a disk that fails for a moment looks like: reopens and checks the
   * store. Changes are rejected meanwhile, and for good if the damage is confirmed. Resolves after the first look, or
   * when it takes long.
   */
  suspect(): Promise<void>;
  /** Why changes are rejected. Null while they are accepted. */
  readonly problem: StoreProblem | null;
}

export interface WriterOptions {
  path: string;
  open: () => Promise<StatementRunner>;
  /** Whether the files are still at their paths. Otherwise a change was saved in a file that is gone. */
  isInPlace: () => boolean;
  /** Closes the present connection, and opens the same file again. Throws if it has been replaced by another one. */
  reopen: (close: () => Promise<void>) => Promise<StatementRunner>;
  /** Whether the disk gives the bytes of the WAL. */
  canReadLog?: () => Promise<boolean>;
  /** Called when damage stops the writer for good. */
  onDamage?: (reason: string) => void;
  /** Milliseconds until the first attempt to reopen. */
  reopenAfter?: number;
}

/**
 * Opens the only connection that writes. After a failed sync the content of the disk is unknown: the system may have
 * dropped the pages that it could not write, and may report success the next time (Rebello et al., "Can Applications
 * Recover from fsync Failures?", USENIX ATC 2020). So no change is accepted until the file has been reopened, its
 * structure has been checked, and a checkpoint has synced it. A damaged file is not reopened: this process cannot
 * repair it, and its WAL must not be written into it. The caller must close the writer.
 */
export async function openWriter({
  path,
  open,
  isInPlace,
  reopen: openAgain,
  canReadLog = () => isLogReadable(path),
  onDamage = () => {},
  reopenAfter = REOPEN_AFTER,
}: WriterOptions): Promise<Writer> {
  let connection = await open();
  let problem: StoreProblem | null = null;
  let [isOpen, isClosed] = [true, false];
  let isInTransaction = false;
  let reopening: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const hasRoom = () => !lacksRoom(path);

  const reopenIn = (milliseconds: number) => {
    timer = setTimeout(tryToReopen, milliseconds).unref();
  };

  const tryToReopen = () => {
    const startedAt = performance.now();
    reopening = reopen().catch(async (error) => {
      if (isDamage(error)) await confirm(error);
      const took = performance.now() - startedAt;
      if (!isClosed && problem === PAUSED) reopenIn(Math.max(reopenAfter, took));
    });
  };

  const reopen = async () => {
    if (!hasRoom()) throw new Error('The disk is still full.');
    isOpen = false;
    connection = await openAgain(() => connection.close());
    [isOpen, isInTransaction] = [true, false];
    await check(connection);
    if (problem === PAUSED) problem = null;
  };

  /** Halts the writer if the disk can be read and another check also finds damage. */
  const confirm = async (error: unknown) => {
    if (!(await canReadLog())) return;
    const again = await (isOpen ? check(connection) : reopen()).catch((reason: unknown) => reason);
    if (isDamage(again)) haltDamaged(error);
  };

  /** After a failed sync. As far as is known, the file itself is not damaged. */
  const pause = () => {
    if (problem !== null || isClosed) return;
    problem = PAUSED;
    reopenIn(reopenAfter);
  };

  const suspect = async () => {
    if (isClosed || (problem !== null && problem !== PAUSED)) return;
    if (problem === null) {
      problem = PAUSED;
      tryToReopen();
    }
    await Promise.race([reopening, sleep(CHECK_INTERVAL_MS, undefined, { ref: false })]);
  };

  /**
   * A commit that fails because the disk is full may have written its last frame, and failed after it, while padding.
   * After a crash, such a commit would count. So the next frame is written over its first one, whose checksum all
   * others depend on: this pragma writes a page even if its value does not change. If there is no space for that
   * either, nothing of the commit was written.
   */
  const eraseCommit = async () => {
    await connection.run('rollback').catch(() => {});
    isInTransaction = false;
    await connection.run(`pragma application_id = ${APPLICATION_ID}`).catch(() => {});
  };

  const halt = (reason: StoreProblem, { explainsDamage = false } = {}) => {
    if (problem === null || problem === PAUSED || (problem === DAMAGED && explainsDamage)) problem = reason;
    clearTimeout(timer);
  };

  const haltDamaged = (error: unknown) => {
    halt(DAMAGED);
    onDamage((error as Error).message);
  };

  return {
    runAnyway: (...statement) => connection.run(...statement),
    halt,
    suspect,
    get problem() {
      return problem;
    },
    async run(sql, parameters, lockTimeout, before) {
      // The check sets the problem. Changes in a file that is gone would be lost.
      if (!isInTransaction && sql !== 'rollback' && !isInPlace()) throw rejectionOf(problem ?? GONE);
      if (problem !== null && sql !== 'rollback') throw rejectionOf(problem);
      try {
        const result = await connection.run(sql, parameters, lockTimeout, before);
        if (sql === 'begin immediate') isInTransaction = true;
        if (sql === 'commit' || sql === 'rollback') isInTransaction = false;
        if (!isInTransaction && sql !== 'rollback' && !isInPlace()) throw savedElsewhere();
        return result;
      } catch (error) {
        if (sql === 'commit' && isFull(error, path)) await eraseCommit();
        if (isOutcomeUnknown(error, sql)) {
          pause();
          throw outcomeUnknown(error);
        }
        // Another file in its place reads like a damaged one.
        if (isDamage(error) && !isInPlace() && problem !== null) throw rejectionOf(problem);
        if (!isDamage(error)) throw explainFault(error, path);
        await suspect();
        throw problem === DAMAGED ? explainFault(error, path) : rejectionOf(problem ?? PAUSED);
      }
    },
    // Procedures only read.
    callWithin:
      (limit) =>
      (name, ...args) =>
        connection.callWithin(limit)(name, ...args),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await reopening;
      await connection.close();
    },
  };
}

/** SQLite's codes of a read that the disk has refused, and of one past the end of the file. */
const [IOERR, SHORT_READ] = [10, 522];

/** The error for the result of a check: damage, or a page that the disk did not return. */
function foundBy(finding: string): SqliteError {
  const code = Number(/error code=(\d+)/.exec(finding)?.[1]);
  const isRefused = (code & 0xff) === IOERR && code !== SHORT_READ;
  return new SqliteError(finding, isRefused ? 'SQLITE_IOERR_READ' : 'SQLITE_CORRUPT');
}

/** Checks the structure of the file with its WAL, then writes the WAL back. Throws if either fails. */
async function check({ run }: StatementRunner): Promise<void> {
  const { rows: findings } = await run('pragma quick_check(1)');
  const [finding] = findings as { quick_check: string }[];
  if (finding?.quick_check !== 'ok') throw foundBy(finding?.quick_check ?? 'no result');
  const { rows: checkpoints } = await run('pragma wal_checkpoint(full)');
  const [checkpoint] = checkpoints as { busy: number }[];
  if (checkpoint?.busy !== 0) throw new Error('The WAL could not be written back while it was being read.');
}

/** The error of a change while a store accepts none. */
function savedElsewhere(): RecollectError {
  return new RecollectError(
    'OUTCOME_UNKNOWN',
    'The store was removed or replaced while the change was saved. No more changes are accepted. The next response says where the saved memories are kept. It is safe to resend a capture with the same Idempotency-Key once the store is back.',
  );
}

function outcomeUnknown(cause: unknown): RecollectError {
  return new RecollectError(
    'OUTCOME_UNKNOWN',
    'The disk failed while saving the change, so it may or may not be stored. It is safe to resend a capture with the same Idempotency-Key. No more changes are accepted until the store has been reopened and checked.',
    { cause, ...(PAUSED.retryAfter === undefined ? {} : { retryAfter: PAUSED.retryAfter }) },
  );
}

/**
 * Whether the disk gives the bytes of a store's WAL. SQLite takes a failed read for damage. The database itself is not
 * read: closing a descriptor of it would release the locks of this process.
 */
async function isLogReadable(path: string): Promise<boolean> {
  try {
    // From a position, as SQLite reads. Nothing is looked for in the bytes.
    for await (const _ of createReadStream(`${path}-wal`, { start: 0, highWaterMark: 2 ** 20 }));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
