import { RecollectError } from '@recollect/core';
import { StoreRefusedError } from '../store-refused-error.js';

/** Seconds. */
const RETRY_AFTER = 5;

/** The SQLSTATE of an error, or the code of the system for a connection that failed. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Transactions that lost to another one, which may be repeated: serialization failures and deadlocks. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** Codes of a server that is stopped, starting or out of reach. */
const GONE =
  /^(?:57P0\d|08\w{3}|53300|E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND))$/;
/** Drivers report a connection that ended without a code. */
const ENDED =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

export function isGone(error: unknown): boolean {
  return GONE.test(codeOf(error)) || (error instanceof Error && ENDED.test(error.message));
}

/** Whether a server accepts no changes: a standby, or a primary that was demoted. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/**
 * Whether a connection failed in a way that another host of the database may not: no answer, or an answer that it only
 * accepts reads. A pool without a free connection, and a server without one, are not such failures.
 */
export function isElsewhere(error: unknown): boolean {
  if (isReadOnly(error)) return true;
  const isBusy = codeOf(error) === '53300' || (error instanceof Error && error.message.startsWith('timeout exceeded'));
  return isGone(error) && !isBusy;
}

/** Explains that the connection was lost during a commit. Returns other errors unchanged. */
export function unlessUnknown(error: unknown): unknown {
  if (!isGone(error)) return error;
  return new RecollectError(
    'OUTCOME_UNKNOWN',
    'The connection to the database was lost during the commit, so the change may or may not be stored. It is safe to resend a capture with the same Idempotency-Key.',
    { cause: error, retryAfter: RETRY_AFTER },
  );
}

/** Translates an error of the database into one that says what to do. Returns other errors unchanged. */
export function explainFault(error: unknown): unknown {
  if (error instanceof RecollectError) return error;
  const code = codeOf(error);
  if (code === '42501') return new StoreRefusedError('no-right', { cause: error });
  if (isGone(error))
    return new RecollectError('UNAVAILABLE', 'The database server cannot be reached. Try again in a moment.', {
      cause: error,
      retryAfter: RETRY_AFTER,
    });
  if (code === '53100')
    return new RecollectError(
      'STORE_FULL',
      'The database server has no space left, and nothing was changed. Free some there, then try again.',
      { cause: error },
    );
  if (isReadOnly(error))
    return new RecollectError(
      'UNAVAILABLE',
      'The database server only accepts reads: it is a standby, or another server is taking over. Try again in a moment.',
      { cause: error, retryAfter: RETRY_AFTER },
    );
  if (isConflict(error) || code === '55P03')
    return new RecollectError(
      'STORE_BUSY',
      'Other changes were in the way. Nothing was changed. Try again in a moment.',
      {
        cause: error,
        retryAfter: RETRY_AFTER,
      },
    );
  if (code === '53200')
    return new RecollectError('UNAVAILABLE', 'The database server is short of memory. Try again in a moment.', {
      cause: error,
      retryAfter: RETRY_AFTER,
    });
  if (code === '57014')
    return new RecollectError('UNAVAILABLE', 'The database took too long to answer. Try again in a moment.', {
      cause: error,
      retryAfter: RETRY_AFTER,
    });
  return error;
}
