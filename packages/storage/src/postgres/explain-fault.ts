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
const GONE = /^(?:57P0\d|08\w{3}|E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND))$/;
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
  return isReadOnly(error) || (isGone(error) && codeOf(error) !== '53300' && !isPoolBusy(error));
}

/** Whether a pool had no free connection for too long. */
function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded');
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

/** Conditions that pass, by SQLSTATE, and what to say. They come before the codes of a server that is gone. */
const PASSING: Readonly<Record<string, string>> = {
  '25006': 'The database server only accepts reads: it is a standby, or another server is taking over.',
  '53200': 'The database server is short of memory.',
  '53300': 'The database server has no free connection.',
  '57014': 'The database took too long to answer.',
  '57P03': 'The database server is starting or stopping.',
  '58030': 'The disk of the database server failed.',
};

/** Translates an error of the database into one that says what to do. Returns other errors unchanged. */
export function explainFault(error: unknown): unknown {
  if (error instanceof RecollectError) return error;
  const code = codeOf(error);
  if (code === '42501') return new StoreRefusedError('no-right', { cause: error });
  const sentence = PASSING[code] ?? (isGone(error) ? sentenceOfGone(error) : undefined);
  if (sentence !== undefined) {
    const options = { cause: error, retryAfter: RETRY_AFTER };
    return new RecollectError('UNAVAILABLE', `${sentence} Try again in a moment.`, options);
  }
  if (code === '53100')
    return new RecollectError(
      'STORE_FULL',
      'The database server has no space left, and nothing was changed. Free some there, then try again.',
      { cause: error },
    );
  if (isConflict(error) || code === '55P03')
    return new RecollectError(
      'STORE_BUSY',
      'Other changes were in the way. Nothing was changed. Try again in a moment.',
      { cause: error, retryAfter: RETRY_AFTER },
    );
  return error;
}

function sentenceOfGone(error: unknown): string {
  return isPoolBusy(error)
    ? 'All connections of this server to the database are busy.'
    : 'The database server cannot be reached.';
}
