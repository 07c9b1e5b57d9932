import { type BackupKind, backupKinds } from '@recollect/contract/vocabulary';

const NAME = new RegExp(
  `^recollect-(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)-(\\d\\d)-(\\d\\d)Z-(${backupKinds.join('|')})(?:-(\\d+))?\\.db(\\.age)?$`,
);

/** The facts in the name of a backup. */
export interface NamedBackup {
  kind: BackupKind;
  at: string;
  isEncrypted: boolean;
}

/**
 * The name of a backup, to the second. `attempt` distinguishes backups of the same second.
 *
 * @example
 * formatName({ kind: 'hourly', at: '2026-11-23T01:20:33.000Z', isEncrypted: false });
 * // recollect-2026-11-23T01-20-33Z-hourly.db
 */
export function formatName({ kind, at, isEncrypted }: NamedBackup, attempt = 1): string {
  const time = at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replaceAll(':', '-');
  return `recollect-${time}Z-${kind}${attempt === 1 ? '' : `-${attempt}`}.db${isEncrypted ? '.age' : ''}`;
}

/** Reads a name. Null for files that are not backups. */
export function parseName(name: string): NamedBackup | null {
  const [, day, hour, minute, second, kind, , age] = NAME.exec(name) ?? [];
  if (kind === undefined) return null;
  return { kind: kind as BackupKind, at: `${day}T${hour}:${minute}:${second}.000Z`, isEncrypted: age !== undefined };
}

/** Which of the backups of one second and kind a name says it is, from 1. */
export function attemptOf(name: string): number {
  return Number(NAME.exec(name)?.[6] ?? 1);
}
