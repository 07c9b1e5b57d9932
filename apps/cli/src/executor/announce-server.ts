import { isRunning } from './is-running.js';
import {
  isServerFileMissing,
  readServerFile,
  removeServerFile,
  type ServerFile,
  writeServerFile,
} from './server-file.js';

/** Milliseconds between two looks at the file. */
const PACE = 10_000;

/** A server that the owner's commands find. */
export interface Announcement {
  /** Commands that start from now on open the store themselves. */
  end(): Promise<void>;
}

/**
 * Tells the owner's commands of a running server (SEC-18), also after another server of the same store, which told them
 * of itself instead, has ended. Throws the system's error if the file cannot be written.
 */
export async function announceServer(dataFolder: string, file: ServerFile): Promise<Announcement> {
  await writeServerFile(dataFolder, file);
  let work: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    work = work.then(() => restore(dataFolder, file)).catch(() => {});
  }, PACE).unref();
  return {
    async end() {
      clearInterval(timer);
      await work;
      await removeServerFile(dataFolder, file);
    },
  };
}

/** Writes the file again if it names no process that runs. One that cannot be read may be another account's. */
async function restore(dataFolder: string, file: ServerFile): Promise<void> {
  const current = await readServerFile(dataFolder);
  if (current === null ? await isServerFileMissing(dataFolder) : !isRunning(current.pid))
    await writeServerFile(dataFolder, file);
}
