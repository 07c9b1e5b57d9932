import { type ErrorRecorder, RecollectError } from '@recollect/core';
import type { FastifyBaseLogger } from 'fastify';
import { describeError, logError } from './log-error.js';

/** Characters of each name, since a library or plugin may choose the name of its errors. */
const NAME_LENGTH = 300;

/** Logs an error of ours and remembers it for the owner's status. `operation` is as in {@link logError}. */
export type ReportError = (operation: string, error: unknown, request?: { id: string; log: FastifyBaseLogger }) => void;

/** Makes the function that every error of the server goes through. */
export function createReportError(log: FastifyBaseLogger, errors: ErrorRecorder): ReportError {
  return (operation, error, request) => {
    logError(request?.log ?? log, operation, error);
    const { chain, frames } = describeError(error);
    errors.record({
      operation,
      code: error instanceof RecollectError ? error.code : 'INTERNAL',
      cause: chain.slice(0, NAME_LENGTH),
      requestId: request?.id ?? null,
      frames: frames.map((frame) => frame.slice(0, NAME_LENGTH)),
    });
  };
}
