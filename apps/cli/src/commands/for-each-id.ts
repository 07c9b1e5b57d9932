import { RecollectError } from '@recollect/core';
import { inert } from '../terminal/output.js';

/** Does the work for each id. Reports an id that fails, and continues with the others. Returns the results. */
export async function forEachId<T>(ids: readonly string[], work: (id: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const id of new Set(ids)) {
    try {
      results.push(await work(id));
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error;
      reportFailure(inert(id), error.message);
    }
  }
  return results;
}

/** Reports that the work failed for one of several. The command then exits with 1. */
export function reportFailure(name: string, reason: string): void {
  process.stderr.write(`${name}: ${reason}\n`);
  process.exitCode = 1;
}
