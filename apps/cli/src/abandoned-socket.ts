import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/** Removes the Unix socket of a killed server, at which nobody answers. Any other file stays. */
export async function removeAbandonedSocket(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => null);
  if (facts?.isSocket() !== true) return;
  const isAbandoned = await new Promise<boolean>((resolve) => {
    const probe = connect({ path }, () => {
      probe.end();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
  if (isAbandoned) await unlink(path);
}
