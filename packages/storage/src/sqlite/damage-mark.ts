import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Facts about a damaged store. They are kept beside the file, because nothing is written into a damaged store. */
export interface DamageMark {
  /** ISO 8601. */
  at: string;
  /** The message of SQLite. */
  reason: string;
  /** The file's size and time of change, by which another file in its place is noticed. */
  size: number;
  changedAt: number;
}

const nameOf = (path: string) => `${path}-damaged`;

/** Null if the store is not marked as damaged, or if its mark cannot be read. */
export function readDamageMark(path: string): DamageMark | null {
  try {
    const mark = JSON.parse(readFileSync(nameOf(path), 'utf8')) as DamageMark;
    return typeof mark?.reason === 'string' ? mark : null;
  } catch {
    return null;
  }
}

/** Whether the file has changed since it was marked, for example because a backup was put in its place. */
export function isReplaced(path: string, mark: DamageMark): boolean {
  const { size, mtimeMs } = statSync(path);
  return size !== mark.size || mtimeMs !== mark.changedAt;
}

/** Marks a store as damaged. If that fails, the damage is found again when the damaged page is read. */
export function markDamaged(path: string, reason: string): void {
  try {
    const { size, mtimeMs } = statSync(path);
    const mark: DamageMark = { at: new Date().toISOString(), reason, size, changedAt: mtimeMs };
    writeFileSync(nameOf(path), `${JSON.stringify(mark)}\n`, { mode: 0o600 });
  } catch {
    // Changes are rejected all the same, until this process ends.
  }
}

/** Removes the mark, once the store is whole again. */
export function removeDamageMark(path: string): void {
  rmSync(nameOf(path), { force: true });
}
