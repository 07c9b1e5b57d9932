import type { Migration } from 'kysely/migration';
import * as memories from './0001-memories.js';
import * as apiKeys from './0002-api-keys.js';

/** In order of their names. One that has landed is never changed. */
export const migrations: Record<string, Migration> = { '0001-memories': memories, '0002-api-keys': apiKeys };
