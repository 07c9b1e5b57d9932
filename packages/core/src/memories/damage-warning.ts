import { describeBackup } from '../backups/describe-backup.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredMemory } from '../ports/index.js';

/**
 * The warning that a damaged memory is returned with; null for any other. Records the damage. That a store accepts no
 * changes does not hide the warning.
 */
export async function warnOfDamage(
  { integrity, newestBackup, clock }: Pick<CorePorts, 'integrity' | 'newestBackup' | 'clock'>,
  userId: string,
  { id, isDamaged }: Pick<StoredMemory, 'id' | 'isDamaged'>,
): Promise<string | null> {
  if (!isDamaged) return null;
  await integrity.record(userId, id, clock.now().toISOString()).catch(() => {});
  const backup = await describeBackup(newestBackup);
  return `This memory does not match its checksum: the disk has changed part of it, and some of it may be wrong. ${backup} recollect restore --memory ${id} restores it from the newest backup that has it undamaged.`;
}
