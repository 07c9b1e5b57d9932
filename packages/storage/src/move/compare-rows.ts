import { createHash } from 'node:crypto';
import { RecollectError } from '@recollect/core';
import { quantise } from '@recollect/in-memory-index';
import type { Tables } from '../tables.js';
import { type CopyContext, endLease } from './copy-rows.js';
import type { Row } from './moving.js';
import type { NamedTable } from './read-batch.js';

/** The stores differ after the copy. */
export class CopyDiffersError extends RecollectError {
  constructor(place: string) {
    super('UNAVAILABLE', `The copy differs from the source: ${place}. The source was not changed.`);
  }
}

/** Compares rows that were read from both stores with the same key. Throws {@link CopyDiffersError}. */
export function compareRows(
  { from, to }: CopyContext,
  { name, key }: NamedTable,
  source: readonly Row[],
  target: readonly Row[],
): void {
  for (const [index, row] of source.entries()) {
    const copy = target[index];
    const isEqual =
      copy !== undefined && digestOf(name, row, from.moving.toVector) === digestOf(name, copy, to.moving.toVector);
    if (!isEqual) throw new CopyDiffersError(`table ${name}, row ${key.map((column) => row[column]).join(' ')}`);
  }
  if (target.length > source.length) throw new CopyDiffersError(`table ${name} has rows that the source lacks`);
}

/** All values of a row; pictures and signs by their hash, and vectors in the precision that both stores have. */
function digestOf(name: keyof Tables, row: Row, toVector: (stored: unknown) => Float32Array): string {
  const value = (column: string, stored: unknown) => {
    if (name === 'embeddings' && column === 'vector') return hashOf(new Uint8Array(quantise(toVector(stored)).buffer));
    return stored instanceof Uint8Array ? hashOf(stored) : stored;
  };
  const compared = name === 'leases' ? endLease(row) : row;
  return JSON.stringify(
    Object.keys(compared)
      .toSorted()
      .map((column) => [column, value(column, compared[column])]),
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
