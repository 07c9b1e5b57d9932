import type { Following, StoreDoctor } from '@recollect/core';
import { checkStructure } from '../check-structure.js';

/** An index that differs from its table, as the integrity check says it. */
const INDEX_PROBLEM = /(?:row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/;

/**
 * Checks the structure of a store, and whether only its indexes differ from their tables. The full check ends at ten
 * problems. If these are all of indexes, they may hide others: the quick check, which compares no indexes, decides.
 */
export async function examineStructure(path: string, options: Following = {}): ReturnType<StoreDoctor['structure']> {
  const { problems, isComplete } = await checkStructure(path, { kind: 'full', ...options });
  const isIndexOnly = problems.length > 0 && problems.every((text) => INDEX_PROBLEM.test(text));
  if (isComplete || !isIndexOnly || options.signal?.aborted) return { problems, isIndexOnly, isComplete };
  const hidden = await checkStructure(path, { kind: 'quick', ...options });
  return {
    problems: [...hidden.problems, ...problems],
    isIndexOnly: hidden.problems.length === 0,
    isComplete: hidden.isComplete,
  };
}
