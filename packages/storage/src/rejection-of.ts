import { RecollectError, type StoreProblem } from '@recollect/core';

/** The error for a change that is rejected because of a problem. It says when to try again, where that is known. */
export function rejectionOf({ code, message, retryAfter }: StoreProblem): RecollectError {
  return new RecollectError(code, message, retryAfter === undefined ? {} : { retryAfter });
}
