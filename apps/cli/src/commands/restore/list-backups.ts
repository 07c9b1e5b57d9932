import { formatBytes } from '@recollect/contract/text';
import type { Restorer } from '../../compose.js';
import { ago, inert, print, printJson } from '../../terminal/output.js';
import { printTable } from '../../terminal/print-table.js';

/** Prints the backups with their checks. */
export async function listBackups({ list }: Restorer, folder: string, json: boolean): Promise<void> {
  const backups = await list();
  if (json) {
    return printJson({ folder, backups: backups.map(({ sequence: _, ...backup }) => backup) });
  }
  if (backups.length === 0) return print(`There are no backups in ${inert(folder)}. Make one with: recollect backup`);
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
