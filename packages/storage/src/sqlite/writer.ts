import { RecollectError } from '@recollect/core';
import type { StatementRunner } from './connection.js';
import { explainFault, isDamage, isOutcomeUnknown } from './explain-fault.js';
import type { ThreadConnection } from './thread-connection.js';

/** Milliseconds until a store that failed to sync is reopened: at first, and at most. */
const REOPEN = { first: 10_000, longest: 300_000 };

export interface Writer extends StatementRunner {
  /** Accepts no more changes until the file has been reopened and checked. */
  halt(): void;
  readonly isHalted: boolean;
}

export interface WriterOptions {
  path: string;
  open: () => Promise<ThreadConnection>;
  /** Milliseconds until the first attempt to reopen. */
  reopenAfter?: number;
}

/**
 * Opens the one connection that writes. After a failed sync the content of the disk is unknown: the system may have dropped
 * the pages that it could not write, and report success the next time (Rebello et al., "Can Applications Recover from
 * fsync Failures?", USENIX ATC 2020). So no change is accepted until the file has been reopened, a checkpoint has synced
 * it, and its structure has been checked. Must be closed.
 */
export async function openWriter({ path, open, reopenAfter = REOPEN.first }: WriterOptions): Promise<Writer> {
  let connection = await open();
  let isHalted = false;
  let isClosed = false;
  let reopening: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const reopenIn = (milliseconds: number) => {
    timer = setTimeout(() => {
      reopening = reopen().catch(() => {
        if (!isClosed) reopenIn(Math.min(2 * milliseconds, REOPEN.longest));
      });
    }, milliseconds).unref();
  };

  const reopen = async () => {
    await connection.close();
    connection = await open();
    await check(connection);
    isHalted = false;
  };

  const halt = () => {
    if (isHalted) return;
    isHalted = true;
    reopenIn(reopenAfter);
  };

  return {
    halt,
    get isHalted() {
      return isHalted;
    },
    async run(sql, parameters, patience) {
      if (isHalted && sql !== 'rollback') throw halted();
      try {
        return await connection.run(sql, parameters, patience);
      } catch (error) {
        if (isOutcomeUnknown(error, sql)) {
          halt();
          throw outcomeUnknown(error);
        }
        if (isDamage(error)) halt();
        throw explainFault(error, path);
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await reopening;
      await connection.close({ optimizes: !isHalted });
    },
  };
}

/** Throws unless the WAL's pages reach the file and the file's structure is sound. */
async function check({ run }: ThreadConnection): Promise<void> {
  const { rows: checkpoints } = await run('pragma wal_checkpoint(full)');
  const [checkpoint] = checkpoints as { busy: number }[];
  if (checkpoint?.busy !== 0) throw new Error('The WAL could not be written back while it was being read.');
  const { rows: findings } = await run('pragma quick_check(1)');
  const [finding] = findings as { quick_check: string }[];
  if (finding?.quick_check !== 'ok') throw new Error('The file of the store is damaged.');
}

function halted(): RecollectError {
  return new RecollectError(
    'STORE_HALTED',
    'The disk failed while the store was being written, or the file of the store is damaged. No changes are accepted until the store has been reopened and checked, which Recollect keeps trying. If that does not help, check the disk, then restart Recollect.',
    { retryAfter: REOPEN.first / 1_000 },
  );
}

function outcomeUnknown(cause: unknown): RecollectError {
  return new RecollectError(
    'OUTCOME_UNKNOWN',
    'The disk failed while the change was being saved, so it may or may not be stored. Sending a capture again with the same Idempotency-Key is safe. Until the store has been reopened and checked, no more changes are accepted.',
    { cause },
  );
}
