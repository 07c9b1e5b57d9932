import { RecollectError } from '../error.js';

/**
 * Turns the error of one capture into an error of its request. Pointers start with the capture's position; if the
 * request has several captures, the message also names the position.
 *
 * @example
 * prefixPointers(error, 2, true); // 'url must be …' at '/url' becomes 'Capture 2: url must be …' at '/2/url'
 */
export function prefixPointers(error: RecollectError, position: number, isOneOfMany: boolean): RecollectError {
  const errors = error.errors.map(({ pointer, message }) => ({ pointer: `/${position}${pointer}`, message }));
  const detail = isOneOfMany ? `Capture ${position}: ${error.message}` : error.message;
  return new RecollectError(error.code, detail, { errors, cause: error });
}
