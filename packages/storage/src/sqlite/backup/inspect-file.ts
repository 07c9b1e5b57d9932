import { open, stat } from 'node:fs/promises';
import { runFileWork } from './run-file-work.js';

/** Why a file is not a usable copy of a store. */
export type FileProblem = 'not-a-store' | 'damaged' | 'too-new';

/** The content of a file, or why it cannot be used. */
export type Inspection =
  | { isGood: true; bytes: number; sha256: string; memories: number; model: string | null }
  | { isGood: false; problem: FileProblem };

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/**
 * Checks all of a file that nothing else uses, and turns it into one file without a WAL. Give it a copy: SQLite may
 * write to the file.
 *
 * @param options.knownMigrations the migrations that this program knows
 */
export async function inspectFile(
  path: string,
  { knownMigrations, signal }: { knownMigrations: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Inspection> {
  if (!(await looksLikeDatabase(path))) return { isGood: false, problem: 'not-a-store' };
  const result = await runFileWork({ kind: 'check', target: path }, signal);
  if (result.outcome === 'damaged') return { isGood: false, problem: 'damaged' };
  if (result.outcome !== 'done')
    throw new Error(result.outcome === 'failed' ? result.message : 'The check was stopped.');
  const { bytes, sha256, memories, model, migrations } = result;
  if (migrations.length === 0) return { isGood: false, problem: 'not-a-store' };
  if (migrations.some((name) => !knownMigrations.includes(name))) return { isGood: false, problem: 'too-new' };
  return { isGood: true, bytes, sha256, memories, model };
}

async function looksLikeDatabase(path: string): Promise<boolean> {
  if ((await stat(path)).size < HEADER_BYTES) return false;
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1') === MAGIC;
  } finally {
    await file.close();
  }
}
