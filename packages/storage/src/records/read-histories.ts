import type { ExportRecord } from '@recollect/contract';
import { isObject, readJson } from '@recollect/core';
import type { Database } from '../dialect.js';
import { entryValues } from '../memories/entry-values.js';

type Entry = ExportRecord['history'][number];

/**
 * The histories of memories, oldest entry first. Leaves out former values of a memory as soon as its newer entries have
 * more than `formerLength` characters of them.
 */
export async function readHistories(
  { reader, list }: Pick<Database, 'reader' | 'list'>,
  userId: string,
  ids: readonly string[],
  formerLength: number,
): Promise<Map<string, Entry[]>> {
  const rows = await reader
    .selectFrom('memory_history')
    .leftJoin('former_texts', 'former_texts.position', 'memory_history.position')
    .select(['memory_history.position', 'memory_id', 'change_id', 'kind', 'at', 'actor', 'fields'])
    .select(({ fn }) => [
      fn<number | null>('length', ['former']).as('valuesLength'),
      fn<number | null>('length', ['former_texts.text']).as('textLength'),
    ])
    .where('user_id', '=', userId)
    .where('memory_id', 'in', list.texts(ids))
    .orderBy('memory_history.position', 'desc')
    .execute();
  const totals = new Map<string, number>();
  const wanted = rows.filter(({ memory_id, valuesLength, textLength }) => {
    if (valuesLength === null) return false;
    const total = (totals.get(memory_id) ?? 0) + valuesLength + (textLength ?? 0);
    totals.set(memory_id, total);
    return total <= formerLength;
  });
  const formers = await readFormers({ reader, list }, wanted);
  const histories = new Map<string, Entry[]>();
  for (const row of rows.reverse()) {
    const { by, fields } = entryValues({ ...row, former: null });
    const entry: Entry = {
      changeId: row.change_id,
      kind: row.kind,
      at: row.at,
      by,
      fields: [...fields],
      before: formers.get(row.position) ?? null,
    };
    const own = histories.get(row.memory_id);
    if (own === undefined) histories.set(row.memory_id, [entry]);
    else own.push(entry);
  }
  return histories;
}

async function readFormers(
  { reader, list }: Pick<Database, 'reader' | 'list'>,
  rows: readonly { position: number }[],
): Promise<Map<number, Entry['before']>> {
  if (rows.length === 0) return new Map();
  const found = await reader
    .selectFrom('memory_history')
    .leftJoin('former_texts', 'former_texts.position', 'memory_history.position')
    .select(['memory_history.position', 'former', 'former_texts.text'])
    .where('memory_history.position', 'in', list.numbers(rows.map(({ position }) => position)))
    .execute();
  return new Map(
    found.map(({ position, former, text }) => {
      const values = former === null ? null : readJson(former, isObject, null);
      return [position, text === null ? values : { ...values, text }];
    }),
  );
}
