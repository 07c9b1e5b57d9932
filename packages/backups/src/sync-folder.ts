import { open } from 'node:fs/promises';

/** Error codes of file systems that cannot sync folders, such as some network and virtual machine file systems. */
const UNSUPPORTED = ['EINVAL', 'ENOTSUP', 'EPERM', 'ENOSYS', 'EISDIR'];

/**
 * Makes the names in a folder durable, if its file system can. Windows does this itself, and opens no folders.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!UNSUPPORTED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
