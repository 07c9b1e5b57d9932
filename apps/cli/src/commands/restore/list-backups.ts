import { formatBytes } from '@recollect/contract/text';
import type { StoredBackup } from '@recollect/core';
import { ago, inert, print, printJson } from '../../terminal/output.js';
import { printTable } from '../../terminal/print-table.js';

/** Prints the backups with their checks. */
export function listBackups(backups: readonly StoredBackup[], folder: string, json: boolean): void {
  if (json) printJson({ folder, backups: backups.map(({ sequence: _, ...backup }) => backup) });
  else if (backups.length === 0) print(`There are no backups in ${inert(folder)}. Make one with: recollect backup`);
  else printBackups(backups);
}

function printBackups(backups: readonly StoredBackup[]): void {
  printTable(
    [
      { title: 'made', width: 14 },
      { title: 'kind', width: 9 },
      { title: 'memories', width: 9 },
      { title: 'size', width: 9 },
      { title: 'check', width: 9 },
      { title: 'file' },
    ],
    backups.map(({ at, kind, memories, bytes, isVerified, isEncrypted, path }) => [
      ago(at),
      kind,
      memories === null ? '?' : String(memories),
      formatBytes(bytes, 'en'),
      isVerified ? (isEncrypted ? 'encrypted' : 'good') : 'failed',
      path,
    ]),
  );
}
