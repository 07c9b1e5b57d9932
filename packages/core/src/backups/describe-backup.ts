import type { FindNewestBackup } from '../ports/index.js';

/** Names the newest backup, as a sentence. It names the file without its folder, because anyone may read `/healthz`. */
export async function describeBackup(find: FindNewestBackup): Promise<string> {
  const backup = await find().catch(() => null);
  if (backup === null) return 'No backup was found.';
  return `The newest ${backup.isVerified ? 'verified ' : ''}backup is ${fileName(backup.path)} of ${backup.at}.`;
}

/** The name of a file without its folders, on any system. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
