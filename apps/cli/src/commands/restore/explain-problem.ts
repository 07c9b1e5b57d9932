/** Why a backup cannot be restored. */
export type Problem = 'missing' | 'store' | 'not-a-store' | 'damaged' | 'too-new' | 'unreadable' | 'wrong-passphrase';

const SENTENCES: Readonly<Record<Problem, string>> = {
  missing: 'does not exist. recollect restore --list shows the backups.',
  store: 'is the store itself, not a backup. Nothing was changed.',
  'not-a-store': 'is not a backup of Recollect. Nothing was changed.',
  damaged: 'is damaged or incomplete. Nothing was changed. recollect restore --list shows other backups.',
  'too-new': 'was written by a newer version of Recollect. Nothing was changed. Update Recollect, then restore it.',
  unreadable: 'cannot be read. Nothing was changed. Check its permissions and its disk.',
  'wrong-passphrase':
    'cannot be decrypted: the passphrase is wrong. Nothing was changed. Use its passphrase, or name another backup.',
};

/** A sentence on why a backup cannot be restored, and what to do. */
export function explainProblem(problem: Problem, path: string): string {
  return `${path} ${SENTENCES[problem]}`;
}
