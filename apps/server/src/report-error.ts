import { type ErrorRecorder, RecollectError } from '@recollect/core';

/** Characters of each name, since a library or plugin may choose the name of its errors. */
const NAME_LENGTH = 300;

/** Logs an error of ours and remembers it for the owner's status. `operation` is as in {@link logError}. */
export type ReportError = (operation: string, error: unknown, request?: { id: string; log: ErrorLogger }) => void;

/** The part of a logger that errors go to. */
export type ErrorLogger = { error(details: object, message: string): void };

/** Makes the function that every error of the server goes through. */
export function createReportError(log: ErrorLogger, errors: ErrorRecorder): ReportError {
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

const FRAMES = 10;
const CAUSES = 5;
const FRAME = /^ {4}at (?:(.*) \()?(?:file:\/\/)?(.*?:\d+:\d+)\)?$/;

/**
 * Logs an internal error with its operation, its chain of causes, and the first frames of the innermost stack. It logs
 * names and codes only, because messages may hold what a user wrote, or SQL (SEC-15).
 *
 * @param operation the id of an operation, or the name of background work
 */
function logError(log: ErrorLogger, operation: string, error: unknown): void {
  const { chain, frames } = describeError(error);
  log.error({ operation, stack: frames }, `failed: ${chain}`);
}

/** Describes an error by names and codes: its chain of causes, and the first frames of the innermost stack. */
function describeError(error: unknown): { chain: string; frames: string[] } {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES; cause = cause.cause) causes.push(cause);
  const innermost = causes.at(-1);
  return {
    chain: causes.length === 0 ? 'no error object' : causes.map(errorName).join(' < '),
    frames: innermost === undefined ? [] : framesOf(innermost),
  };
}

function errorName(error: Error): string {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}

/** The first frames of a stack: function, package, file, line and column, without the folders of this machine. */
export function framesOf({ stack = '', message }: Error): string[] {
  // The message comes first, and may itself look like frames.
  const start = message === '' ? 0 : stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .flatMap((line) => {
      const [, name = '<anonymous>', place] = FRAME.exec(line) ?? [];
      return place === undefined ? [] : [`${name} (${shorten(place)})`];
    })
    .slice(0, FRAMES);
}

function shorten(place: string): string {
  if (place.startsWith('node:')) return place;
  const [, owner, file] =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:.*\/)?([^/]+)$/.exec(place) ??
    /.*\/(?:packages|apps|tools)\/([^/]+)\/(?:dist|src)\/(.*)$/.exec(place) ??
    [];
  return owner === undefined ? (place.split(/[/\\]/).at(-1) ?? '') : `${owner} ${file}`;
}
