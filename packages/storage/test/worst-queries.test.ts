import { createCore, createQuery, LOCAL_USER, systemClock, type TextQuery } from '@recollect/core';
import { worstQueries, worstTexts } from '@recollect/core/testing';
import * as sqliteVec from 'sqlite-vec';
import { expect, test } from 'vitest';
import { openDatabase } from '../dist/sqlite/open-database.js';
import { createTextProcedures } from '../dist/sqlite/procedures/search-text.js';
import { createStatements } from '../dist/sqlite/statements.js';
import { openFile } from './open-file.js';

const LETTERS = 10_000;
/** Characters of a query: all of its parts are there, and the work of the longest is in proportion. */
const LENGTH = 500;

/** The words that are searched for by a query. */
async function termsOf(query: string): Promise<TextQuery | null> {
  let asked: TextQuery | null = null;
  const hybridIndex = {
    async search(_: string, { terms }: { terms: TextQuery }) {
      asked = terms;
      throw new Error('Nothing is searched.');
    },
  };
  const ports = {
    hybridIndex,
    memories: { list: async () => [] },
    textIndex: {},
    embeddingModel: null,
  };
  await createQuery({ ...ports, clock: systemClock } as never)(LOCAL_USER, query, { asTyped: true }).catch(() => {});
  return asked;
}

/**
 * Counts the work of each query in a store with texts of so many letters: statements, their parameters, and rows that
 * they look at.
 */
async function countWork(queries: readonly TextQuery[], letters: number): Promise<number[]> {
  const storage = await openFile({ readers: 0 });
  try {
    const captures = Object.entries(worstTexts).map(([title, write]) => ({ title, pageText: write(letters) }));
    await createCore({ ...storage }).capture(LOCAL_USER, captures);
    const { location } = await storage.inspector.facts();
    const database = openDatabase({ path: location ?? '', readonly: true }, sqliteVec.load);
    let work = 0;
    const check = () => {
      work += 1;
    };
    database.function('in_time', () => {
      check();
      return 1;
    });
    const execute = createStatements(database);
    const { searchText } = createTextProcedures(
      (sql, parameters) => {
        const { rows } = execute(sql, parameters);
        work += 1 + rows.length + JSON.stringify(parameters).length;
        return rows;
      },
      { check },
    );
    const counts = queries.map((query) => {
      work = 0;
      searchText({ userId: LOCAL_USER, query, limit: 120, within: null, also: [], filter: {} }, null);
      return work;
    });
    database.close();
    return counts;
  } finally {
    await storage.close();
  }
}

test('QRY-21: the work of the worst queries is in proportion to the texts and to the query', async () => {
  const queries: { name: string; terms: TextQuery }[] = [];
  for (const { name, query } of worstQueries(LENGTH)) {
    const terms = await termsOf(query);
    if (terms !== null) queries.push({ name, terms });
  }
  expect(queries.length).toBeGreaterThan(300);
  const all = queries.map(({ terms }) => terms);
  const [once, twice] = [await countWork(all, LETTERS), await countWork(all, 2 * LETTERS)];
  const faults = queries.flatMap(({ name }, at) => {
    const [few, many] = [once[at] ?? 0, twice[at] ?? 0];
    const isLinear = many < 3 * few + 1_000;
    return isLinear && few < 60 * LENGTH ? [] : [`${name}: ${few}, then ${many}`];
  });
  expect(faults).toEqual([]);
});
