import { RecollectError } from '@recollect/core';
import type { StatementRunner } from './connection.js';
import { explainFault, isDamage, isOutcomeUnknown } from './explain-fault.js';
import type { ThreadConnection } from './thread-connection.js';

/** Milliseconds until a store is reopened after a failed sync: the first delay, and the longest. */
const REOPEN = { first: 10_000, longest: 300_000 };

export interface Writer extends StatementRunner {
  /** Stops accepting changes, because the file is damaged. */
  halt(): void;
  readonly isHalted: boolean;
  /** Throws STORE_HALTED when no changes are accepted. */
  checkWritable(): void;
  /** @param options.optimizes saves the query planner's statistics */
  close(options?: { optimizes: boolean }): Promise<void>;
}

export interface WriterOptions {
  path: string;
  open: () => Promise<ThreadConnection>;
  /** Reopens the same file. Throws if it has been replaced by another one. */
  reopen: () => Promise<ThreadConnection>;
  /** Milliseconds until the first attempt to reopen. */
  reopenAfter?: number;
}

/**
 * Opens the only connection that writes. After a failed sync the content of the disk is unknown: the system may have dropped
 * the pages that it could not write, and may report success the next time (Rebello et al., "Can Applications Recover from
 * fsync Failures?", USENIX ATC 2020). So no change is accepted until the file has been reopened, its structure has been
 * checked, and a checkpoint has synced it. A damaged file is not reopened: this process cannot repair it, and its WAL must
 * not be written into it. The caller must close the writer.
 */
export async function openWriter({
  path,
  open,
  reopen: openAgain,
  reopenAfter = REOPEN.first,
}: WriterOptions): Promise<Writer> {
  let connection = await open();
  let state: 'open' | 'paused' | 'damaged' = 'open';
  let isClosed = false;
  let reopening: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const reopenIn = (milliseconds: number) => {
    timer = setTimeout(() => {
      reopening = reopen().catch(() => {
        if (!isClosed && state === 'paused') reopenIn(Math.min(2 * milliseconds, REOPEN.longest));
      });
    }, milliseconds).unref();
  };

  const reopen = async () => {
    await connection.close();
    connection = await openAgain();
    await check(connection);
    if (state === 'paused') state = 'open';
  };

  /** After a failed sync. As far as is known, the file itself is not damaged. */
  const pause = () => {
    if (state !== 'open' || isClosed) return;
    state = 'paused';
    reopenIn(reopenAfter);
  };

  const halt = () => {
    state = 'damaged';
    clearTimeout(timer);
  };

  const checkWritable = () => {
    if (state !== 'open') throw halted();
  };

  return {
    halt,
    checkWritable,
    get isHalted() {
      return state !== 'open';
    },
    async run(sql, parameters, lockTimeout) {
      if (sql !== 'rollback') checkWritable();
      try {
        return await connection.run(sql, parameters, lockTimeout);
      } catch (error) {
        if (isOutcomeUnknown(error, sql)) {
          pause();
          throw outcomeUnknown(error);
        }
        if (isDamage(error)) halt();
        throw explainFault(error, path);
      }
    },
    async close({ optimizes } = { optimizes: true }) {
      isClosed = true;
      clearTimeout(timer);
      await reopening;
      await connection.close({ optimizes: optimizes && state === 'open' });
    },
  };
}

/** Checks the structure of the file with its WAL, then writes the WAL back. Throws if either fails. */
async function check({ run }: ThreadConnection): Promise<void> {
  const { rows: findings } = await run('pragma quick_check(1)');
  const [finding] = findings as { quick_check: string }[];
  if (finding?.quick_check !== 'ok') throw new Error('The store file is damaged.');
  const { rows: checkpoints } = await run('pragma wal_checkpoint(full)');
  const [checkpoint] = checkpoints as { busy: number }[];
  if (checkpoint?.busy !== 0) throw new Error('The WAL could not be written back while it was being read.');
}

function halted(): RecollectError {
  return new RecollectError(
    'STORE_HALTED',
    'The disk failed during a write, or the store file is damaged. No changes are accepted until the store has been reopened and checked. After a failed write, Recollect retries this by itself. Otherwise, check the disk, then restart Recollect.',
    { retryAfter: REOPEN.first / 1_000 },
  );
}

function outcomeUnknown(cause: unknown): RecollectError {
  return new RecollectError(
    'OUTCOME_UNKNOWN',
    'The disk failed while saving the change, so it may or may not be stored. It is safe to resend a capture with the same Idempotency-Key. No more changes are accepted until the store has been reopened and checked.',
    { cause },
  );
}
