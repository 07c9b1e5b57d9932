import { createHash } from 'node:crypto';
import type pg from 'pg';
import { PREPARED } from '../prepared.js';

/** Statements that a connection keeps. Searches have a few dozen, since the number of their words varies. */
const MAX_PREPARED = 100;

/** Makes a connection keep statements that are marked as {@link PREPARED}: planning takes longer than most of them. */
export function prepareStatements(client: pg.ClientBase): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < MAX_PREPARED)
      names.set(text, createHash('sha256').update(text).digest('base64url'));
    return names.get(text);
  };
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const preparing = (text: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' && text.includes(PREPARED) ? nameOf(text) : undefined;
    return name === undefined ? query(text, ...rest) : query({ name, text, values: rest[0] });
  };
  client.query = preparing as typeof client.query;
}
