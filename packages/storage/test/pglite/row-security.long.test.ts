import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { verifyStorage } from '@recollect/core/testing';
import { actingUser, EVERYONE, openStorage } from '@recollect/storage';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { type BeforeStatement, beforeStatements } from '../statements/before-statements.js';
import { withoutUsers } from '../statements/without-users.js';
import { createPGliteDialect } from './dialect.js';

/** Somebody without any rows. */
const EVE = 'eve';

interface Attack {
  sql: string;
  /** Whether it reaches rows of the other user while no policy hides them. */
  isPotent: boolean;
  /** What it has reached behind the policies. */
  reached: string | null;
}

describe('row-level security in this process', () => {
  const pglite = new PGlite({ extensions: { vector } });
  const attacks: Attack[] = [];
  const seen = new Set<string>();
  afterAll(() => pglite.close());

  /** Runs a statement as a user, and undoes it. */
  const runAs = async (connection: DatabaseConnection, query: CompiledQuery, userId: string, isNested: boolean) => {
    const run = (text: string, parameters: readonly unknown[] = []) =>
      connection.executeQuery({ ...query, sql: text, parameters });
    await run(isNested ? 'savepoint attack' : 'begin');
    try {
      await run("select set_config('recollect.user', $1, false)", [userId]);
      return await run(query.sql, query.parameters);
    } catch (error) {
      return String(error);
    } finally {
      await run(isNested ? 'rollback to savepoint attack' : 'rollback');
    }
  };

  const attack: BeforeStatement = async (connection, query, isNested) => {
    if (seen.has(query.sql) || ['', EVERYONE].includes(actingUser())) return;
    seen.add(query.sql);
    for (const { sql } of withoutUsers(query.sql)) {
      const control = await runAs(connection, { ...query, sql }, EVERYONE, isNested);
      const result = await runAs(connection, { ...query, sql }, EVE, isNested);
      const parameters = new Set(query.parameters.map(String));
      const known = new Set(
        typeof control === 'string' ? [] : textsOf(control).filter((text) => !parameters.has(text)),
      );
      const reached =
        typeof result === 'string'
          ? result.includes('row-level security')
            ? null
            : result
          : changes(sql, result) > 0
            ? 'changed rows'
            : (textsOf(result).find((text) => known.has(text)) ?? null);
      const isPotent = typeof control !== 'string' && (changes(sql, control) > 0 || known.size > 0);
      attacks.push({ sql, isPotent, reached });
    }
  };

  const dialect = createPGliteDialect(pglite, { wrap: (inner) => beforeStatements(inner, attack) });
  verifyStorage(test, () => openStorage({ url: 'pglite:', dialect }));

  test('SEC-21: no statement reaches rows of another person without its condition on the user', () => {
    expect(attacks.filter(({ reached }) => reached !== null)).toEqual([]);
    expect(attacks.filter(({ isPotent }) => isPotent).length).toBeGreaterThan(200);
  });
});

/** The rows that a statement has changed. */
function changes(sql: string, { numAffectedRows = 0n }: QueryResult<unknown>): number {
  return /^\s*(?:select|with)\b/i.test(sql) ? 0 : Number(numAffectedRows);
}

/** The texts in rows that are long enough to be of one user. */
function textsOf({ rows }: QueryResult<unknown>): string[] {
  return rows.flatMap((row) =>
    Object.values(row as Record<string, unknown>).filter(
      (value): value is string => typeof value === 'string' && value.length >= 8,
    ),
  );
}
