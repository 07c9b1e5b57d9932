import { RecollectError } from '../error.js';

/** An error of one capture as one of its request: pointers begin with its position, and of many captures the sentence names it. */
export function inCapture(error: RecollectError, position: number, isOneOfMany: boolean): RecollectError {
  const errors = error.errors.map(({ pointer, message }) => ({ pointer: `/${position}${pointer}`, message }));
  const detail = isOneOfMany ? `Capture ${position}: ${error.message}` : error.message;
  return new RecollectError(error.code, detail, { errors, cause: error });
}
