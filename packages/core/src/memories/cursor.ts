import { RecollectError } from '../error.js';
import type { MemoryCursor } from '../ports/index.js';

const ID = /^[0-9a-f-]{36}$/;

/** Encodes a position in the list of memories as opaque text. */
export function encodeCursor({ capturedAt, id }: MemoryCursor): string {
  return `${Date.parse(capturedAt).toString(36)}.${id}`;
}

/** Throws VALIDATION_FAILED for a text that did not come from {@link encodeCursor}. */
export function decodeCursor(cursor: string): MemoryCursor {
  const [time = '', id = '', ...rest] = cursor.split('.');
  const at = new Date(/^-?[0-9a-z]{1,11}$/.test(time) ? Number.parseInt(time, 36) : Number.NaN);
  if (Number.isNaN(at.getTime()) || !ID.test(id) || rest.length > 0) {
    const message = 'must be a nextCursor from an earlier response';
    throw new RecollectError('VALIDATION_FAILED', `cursor ${message}.`, { errors: [{ pointer: '/cursor', message }] });
  }
  return { capturedAt: at.toISOString(), id };
}
