import type { StoreInspector } from '@recollect/core';
import type { Connected, Database } from './dialect.js';
import { readCounts } from './memories/read-counts.js';

/** Describes an open store. */
export function createInspector(
  { reader }: Database,
  { facts, problem }: Pick<Connected, 'facts' | 'problem'>,
): StoreInspector {
  return {
    facts,
    problem,

    async counts(userId) {
      const { memories, trash, chunks, highlights } = await readCounts(reader, userId);
      return { memories, trash, chunks, highlights };
    },
  };
}
