import { describeBackup } from '../backups/describe-backup.js';
import type { FindNewestBackup, StoreProblem } from '../ports/index.js';

/** Adds the facts for the solution to a problem of the store: after damage, the newest backup. */
export async function describeProblem(problem: StoreProblem, find: FindNewestBackup): Promise<StoreProblem> {
  if (problem.code !== 'STORE_DAMAGED') return problem;
  return { ...problem, message: `${problem.message} ${await describeBackup(find)}` };
}
