import type { Sort } from '@recollect/contract';
import { encodeBase64 } from '@recollect/contract/text';
import { sorts } from '@recollect/contract/vocabulary';
import { RecollectError } from '../error.js';
import type { MemoryCursor, SortedPlace } from '../ports/index.js';
import { decodeBase64 } from '../text/bytes.js';

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

const INSTANT = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CURSOR = /^(\w+)\.([\w-]*)\.([0-9a-f-]{36})$/;

/** Encodes a place in a sorted list as opaque text, which needs no escaping in an address or a shell. */
export function encodePlace(sort: Sort, { key, id }: SortedPlace): string {
  const encoded = encodeBase64(new TextEncoder().encode(`${key}`));
  return `${sort}.${encoded.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.${id}`;
}

/** Throws VALIDATION_FAILED for a text that did not come from {@link encodePlace}, or is a place in another order. */
export function decodePlace(sort: Sort, cursor: string): SortedPlace {
  const [, order, key = '', id = ''] = CURSOR.exec(cursor) ?? [];
  const text = decode(key);
  const orderSort = sorts.find((name) => name === order);
  if (orderSort === undefined || text === null || !isKey[orderSort](text))
    throw invalid('must be a nextCursor from an earlier response');
  if (orderSort !== sort) throw invalid('comes from a list in another order; send the same sort');
  return { key: sort === 'longest' ? Number(text) : text, id };
}

const isInstant = (text: string) => INSTANT.test(text);

/** The sort key of each order. */
const isKey: Readonly<Record<Sort, (text: string) => boolean>> = {
  newest: isInstant,
  oldest: isInstant,
  opened: (text) => text === '' || isInstant(text),
  title: () => true,
  longest: (text) => /^\d{1,9}$/.test(text),
};

function decode(text: string): string | null {
  const bytes = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  try {
    return bytes === null ? null : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function invalid(message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `cursor ${message}.`, { errors: [{ pointer: '/cursor', message }] });
}
