import type { ExportRecord } from '@recollect/contract';
import type { RecordSelection } from '@recollect/core';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import { hasFilter, meetsFilter } from '../memories/filter.js';
import { textOf } from '../memories/history-store.js';
import type { Tables } from '../tables.js';
import { readRecords } from './read-records.js';

/** Memories whose facts are read in one step. */
const PAGE = 200;
/** Chunks whose texts are read in one step: about a million characters. A longer memory is read in a separate step. */
const CHUNKS = 1_000;
/** Characters of former values that count as much as a chunk. */
const CHUNK_LENGTH = 1_000;

/** The memories of a selection, without columns. */
export function selectRecords(db: Kysely<Tables>, userId: string, { filter, changedSince }: RecordSelection) {
  let selected = db.selectFrom('memories').where('memories.user_id', '=', userId);
  if (hasFilter(filter)) selected = selected.where(meetsFilter(userId, filter));
  if (changedSince === null) return selected;
  const highlighted = db
    .selectFrom('highlights')
    .select('memory_id')
    .where('user_id', '=', userId)
    .where('updated_at', '>=', changedSince);
  // A star or a read state does not change the memory's content.
  const marked = db
    .selectFrom('memory_history')
    .select('memory_id')
    .where('user_id', '=', userId)
    .where('at', '>=', changedSince);
  return selected.where(({ eb, or }) =>
    or([
      eb('memories.updated_at', '>=', changedSince),
      eb('memories.opened_at', '>=', changedSince),
      eb('memories.id', 'in', highlighted),
      eb('memories.id', 'in', marked),
    ]),
  );
}

/** Reads the memories of a selection in the order of their ids, a few at a time. */
export async function* scanRecords(
  { reader, isIn }: Database,
  userId: string,
  selection: RecordSelection,
): AsyncGenerator<ExportRecord> {
  for (let after = ''; ; ) {
    const page = await selectRecords(reader, userId, selection)
      .select('memories.id')
      .where('memories.id', '>', after)
      .orderBy('memories.id')
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
    const sizes = await reader
      .selectFrom('chunks')
      .select(['memory_id', ({ fn }) => fn.countAll<number>().as('chunks')])
      .where('user_id', '=', userId)
      .where(
        isIn(
          'memory_id',
          page.map(({ id }) => id),
        ),
      )
      .groupBy('memory_id')
      .execute();
    const previousLengths = await reader
      .selectFrom('memory_history')
      .leftJoin('former_texts', textOf(userId))
      .select([
        'memory_id',
        ({ fn }) => fn.sum<number>(fn('length', ['former'])).as('values'),
        ({ fn }) => fn.sum<number | null>(fn('length', ['former_texts.text'])).as('texts'),
      ])
      .where('memory_history.user_id', '=', userId)
      .where(
        isIn(
          'memory_id',
          page.map(({ id }) => id),
        ),
      )
      .where('former', 'is not', null)
      .groupBy('memory_id')
      .execute();
    const sizeOf = new Map(sizes.map(({ memory_id, chunks }) => [memory_id, chunks]));
    for (const { memory_id, values, texts } of previousLengths)
      sizeOf.set(memory_id, (sizeOf.get(memory_id) ?? 0) + (Number(values) + Number(texts ?? 0)) / CHUNK_LENGTH);
    for (const ids of group(page, sizeOf))
      yield* await readRecords({ reader, isIn }, userId, ids, selection.previousLength);
  }
}

/** Groups of ids whose memories have few enough chunks to be read together. */
function* group(
  page: readonly Pick<Selectable<Tables['memories']>, 'id'>[],
  sizeOf: ReadonlyMap<string, number>,
): Generator<string[]> {
  let ids: string[] = [];
  let chunks = 0;
  for (const { id } of page) {
    const size = sizeOf.get(id) ?? 0;
    if (ids.length > 0 && chunks + size > CHUNKS) {
      yield ids;
      ids = [];
      chunks = 0;
    }
    ids.push(id);
    chunks += size;
  }
  if (ids.length > 0) yield ids;
}
