import type { StatementRunner } from './connection.js';
import { isDamage } from './explain-fault.js';
import { openThreadConnection } from './thread-connection.js';

/** Problems that are reported. More say no more. */
const LIMIT = 10;

export interface StructureCheck {
  /** `quick` skips the comparison of indexes with their tables. */
  kind?: 'quick' | 'full';
  signal?: AbortSignal | undefined;
  /** How many of the tables have been checked. */
  onProgress?: ((done: number, whole: number) => void) | undefined;
}

/** The result of a check of the structure. */
export interface StructureFindings {
  problems: string[];
  /** Whether everything was checked, so that there are no other problems. */
  isComplete: boolean;
}

/**
 * Checks the structure of a store's file in a separate thread, and returns the problems that SQLite names. Checks table
 * by table, so that it can stop in between, and so that no read lasts long enough to let the WAL grow. Ends early when
 * it is aborted, and when there are enough problems.
 */
export async function checkStructure(
  path: string,
  { kind = 'quick', signal, onProgress }: StructureCheck = {},
): Promise<StructureFindings> {
  let connection: StatementRunner | undefined;
  const problems: string[] = [];
  let isComplete = false;
  try {
    connection = await openThreadConnection({ path, readonly: true });
    const { rows } = await connection.run("select name from sqlite_master where type = 'table' and rootpage > 0");
    const names = (rows as { name: string }[]).map(({ name }) => name);
    let done = 0;
    for (const name of names) {
      if (signal?.aborted || problems.length >= LIMIT) break;
      onProgress?.(done, names.length);
      problems.push(...(await checkTable(connection, kind, name)));
      done += 1;
    }
    isComplete = done === names.length && problems.length < LIMIT;
  } catch (error) {
    if (!isDamage(error)) throw error;
    problems.push((error as Error).message);
  } finally {
    await connection?.close();
  }
  return { problems: problems.slice(0, LIMIT), isComplete };
}

async function checkTable({ run }: StatementRunner, kind: 'quick' | 'full', name: string): Promise<string[]> {
  const pragma = kind === 'quick' ? 'quick_check' : 'integrity_check';
  try {
    const { rows } = await run(`pragma ${pragma}("${name}")`);
    const problems = rows
      .flatMap((row) => Object.values(row as Record<string, string>))
      .filter((text) => text !== 'ok');
    return problems.map((text) => `${name}: ${text}`);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [`${name}: ${(error as Error).message}`];
  }
}
