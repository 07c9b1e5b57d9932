import type { RankedHit, TitledMemory } from '@recollect/core';
import { chunksToRead } from '@recollect/core/threads';
import type { Statement } from '../../compile-once.js';
import type { FoundRow } from '../../memories/found-memories.js';
import type { All } from './all.js';
import type { Condition } from './condition.js';

/** What a search reads of its hits. */
export interface ReadRequest {
  /** Finds the memories with a title, of which so many count at most. Null without one. */
  titled: { statement: Statement; limit: number } | null;
  /** Reads the memories of chunks, whose ids are the last parameter: a list in JSON. */
  memories: Statement;
  /** How many of the hits are read. */
  count: number;
}

export interface FoundRows {
  titled: TitledMemory[];
  /** The memories with the title, and of the first hits. */
  rows: FoundRow[];
}

/** Makes a function that reads the memories with a title that meet a filter, and of the first hits. */
export function createFoundReader(all: All) {
  const findTitled = (
    { statement: { sql, parameters }, limit }: NonNullable<ReadRequest['titled']>,
    within: Condition | null,
  ): TitledMemory[] => {
    const titled = all(sql, parameters) as TitledMemory[];
    if (titled.length === 0 || within === null) return titled;
    const ids = JSON.stringify(titled.map(({ memoryId }) => memoryId));
    const met = all(`select value as id from json_each(?) where value in (${within.sql})`, [ids, ...within.parameters]);
    const metIds = new Set((met as { id: string }[]).map(({ id }) => id));
    return titled.filter(({ memoryId }) => metIds.has(memoryId)).slice(0, limit);
  };

  return (
    { titled: finding, memories, count }: ReadRequest,
    hits: readonly RankedHit[],
    within: Condition | null,
  ): FoundRows => {
    const titled = finding === null ? [] : findTitled(finding, within);
    const chunkIds = chunksToRead(hits, titled, count);
    if (chunkIds.length === 0) return { titled, rows: [] };
    const { sql, parameters } = memories;
    return { titled, rows: all(sql, parameters.with(-1, JSON.stringify(chunkIds))) as FoundRow[] };
  };
}
