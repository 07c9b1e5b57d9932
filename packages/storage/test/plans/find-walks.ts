import type { Planned } from './record-plans.js';

/** Tables that have a few rows, however many memories there are. */
const SMALL = new Set([
  'api_keys',
  'audit_log',
  'damaged_memories',
  'error_log',
  'identities',
  'imports',
  'indexing_jobs',
  'integrity_round',
  'invitations',
  'kysely_migration',
  'kysely_migration_lock',
  'leases',
  'models',
  'pairing_codes',
  'passkeys',
  'plugin_installations',
  'plugin_runs',
  'plugin_schedules',
  'plugin_told',
  'plugin_uses',
  'saved_searches',
  'server_secrets',
  'shares',
  'sqlite_master',
  'store_counts',
  'store_time',
  'used_challenges',
  'tag_looks',
  'users',
  'web_sessions',
]);

/** A search of all rows of a user, or of all from one place on, or up to one. */
const OPEN = /\((?:user_id=\?(?: AND model_id=\?)?(?: AND [^=<> ]+[<>]\S+)?|rowid>\?)\)(?: LEFT-JOIN)?$/;

const NAMED = /\b(?:from|join|into|update)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi;

/** A step that reads all rows, unless it stops at a limit. */
export interface Walk {
  step: string;
  /** Whether the rows are sorted afterwards, so that it cannot stop. */
  isSorted: boolean;
}

/** The steps of a statement that read all rows of a table that grows with the store, or all that belong to a user. */
export function findWalks({ sql, steps }: Planned): Walk[] {
  // Names of subqueries are not among them: their rows are those that other steps find.
  const tables = new Map<string, string>();
  for (const [, table = '', alias = table] of sql.matchAll(NAMED)) tables.set(table, table).set(alias, table);
  const isWalk = (step: string) => {
    const [, kind, name = ''] = /^(SCAN|SEARCH|BLOOM FILTER ON) (\S+)/.exec(step) ?? [];
    const table = tables.get(name);
    if (table === undefined || SMALL.has(table) || step.includes('VIRTUAL TABLE')) return false;
    // A Bloom filter and an automatic index read the whole table first.
    return kind !== 'SEARCH' || / AUTOMATIC /.test(step) || OPEN.test(step);
  };
  const sorted = new Set(steps.flatMap(({ parent, detail }) => (/^USE TEMP B-TREE/.test(detail) ? [parent] : [])));
  return steps
    .filter(({ detail }) => isWalk(detail))
    .map(({ parent, detail }) => ({ step: detail, isSorted: sorted.has(parent) }));
}
