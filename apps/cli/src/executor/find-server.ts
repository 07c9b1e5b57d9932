import { createHmac, randomBytes } from 'node:crypto';
import { createClient } from '@recollect/contract/client';
import { version } from '../version.js';
import { sendRequest } from './send-request.js';
import { readServerFile, type ServerFile } from './server-file.js';

/** Milliseconds that a server has to prove itself. A busy one takes longer than usual. */
const PATIENCE = 3_000;

/**
 * The running server of a data folder (SEC-18); null if there is none, if another version runs, or if what answers at its
 * address does not know the secret. The secret itself is not sent.
 */
export async function findServer(dataFolder: string): Promise<ServerFile | null> {
  const file = await readServerFile(dataFolder);
  if (file === null || file.version !== version || !isRunning(file.pid)) return null;
  const challenge = randomBytes(32).toString('base64url');
  const expected = createHmac('sha256', file.secret).update(challenge).digest('base64url');
  try {
    const { proof } = await createClient({ baseUrl: file.address, fetch: sendRequest })('proveServer', {
      body: { challenge },
      signal: AbortSignal.timeout(PATIENCE),
    });
    return proof === expected ? file : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another account exists, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
