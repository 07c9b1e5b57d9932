import { formatBytes } from '@recollect/contract/text';
import type { StoredBackup } from '@recollect/core';
import { ago, inert, print, printJson, style } from '../../terminal/output.js';

/** Prints the backups with their checks. */
export function listBackups(backups: readonly StoredBackup[], folder: string, json: boolean): void {
  if (json) printJson({ folder, backups: backups.map(({ sequence: _, ...backup }) => backup) });
  else if (backups.length === 0) print(`There are no backups in ${inert(folder)}. Make one with: recollect backup`);
  else printBackups(backups);
}

const WIDTHS = [14, 9, 9, 9];

/** Two lines for each, so that a path is printed as a whole, however narrow the terminal is. */
function printBackups(backups: readonly StoredBackup[]): void {
  const row = (...cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join('  ');
  print(style('dim', row('made', 'kind', 'memories', 'size', 'check')));
  for (const { at, kind, memories, bytes, isVerified, isEncrypted, path } of backups) {
    const check = isVerified ? (isEncrypted ? 'encrypted' : 'good') : 'failed';
    print(row(ago(at), kind, memories === null ? '?' : String(memories), formatBytes(bytes, 'en'), check));
    print(style('dim', `  ${inert(path)}`));
  }
}
