import { createHmac, randomBytes } from 'node:crypto';
import { createClient } from '@recollect/contract/client';
import { version } from '../version.js';
import { connectTo } from './send-request.js';
import { isRunning, readServerFile, type ServerFile } from './server-file.js';

/**
 * The running server of a data folder (SEC-18); null if there is none, if another version runs, or if what answers at
 * its address does not know the secret, or takes longer than `wait` milliseconds. The secret itself is not sent.
 */
export async function findServer(dataFolder: string, wait: number): Promise<ServerFile | null> {
  if (wait === 0) return null;
  const file = await readServerFile(dataFolder);
  if (file === null || file.version !== version || !isRunning(file.pid)) return null;
  const challenge = randomBytes(32).toString('base64url');
  const expected = createHmac('sha256', file.secret).update(challenge).digest('base64url');
  const call = createClient(connectTo(file.address));
  const ask = () => call('proveServer', { body: { challenge }, signal: AbortSignal.timeout(wait) });
  try {
    // A server closes idle connections, perhaps the one on which it was asked.
    const { proof } = await ask().catch((error) => (isReset(error) ? ask() : Promise.reject(error)));
    return proof === expected ? file : null;
  } catch {
    return null;
  }
}

/** The version of a running server of a data folder that commands do not use, since it is another build; or null. */
export async function findOtherVersion(dataFolder: string): Promise<string | null> {
  const file = await readServerFile(dataFolder);
  return file !== null && file.version !== version && isRunning(file.pid) ? file.version : null;
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET';
}
