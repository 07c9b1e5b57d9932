import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { Decrypter, Encrypter } from 'age-encryption';
import type { AgeResult, AgeWork } from './run-age.js';

const { direction, source, target, passphrase, isBackground } = workerData as AgeWork;
/** A file is synced in steps, so that no large flush competes with the syncs of captures. */
const BYTES_PER_SYNC = 4 * 1024 * 1024;

async function transform(input: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  if (direction === 'encrypt') {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    return encrypter.encrypt(input);
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(input);
}

async function run(): Promise<AgeResult> {
  const reading = createReadStream(source, { highWaterMark: 256 * 1024 });
  const output = await transform(Readable.toWeb(reading) as ReadableStream<Uint8Array>);
  const file = target === null ? null : await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  let unsynced = 0;
  try {
    for await (const chunk of output) {
      hash.update(chunk);
      bytes += chunk.length;
      unsynced += chunk.length;
      await file?.writeFile(chunk);
      if (unsynced >= BYTES_PER_SYNC) {
        await file?.datasync();
        unsynced = 0;
      }
    }
    await file?.sync();
    return { outcome: 'done', bytes, sha256: hash.digest('hex') };
  } finally {
    await file?.close();
    reading.destroy();
  }
}

function resultOf(error: unknown): AgeResult {
  const { message, code } = error as Error & { code?: string };
  if (code !== undefined) return { outcome: 'failed', message, code };
  if (direction === 'decrypt') return { outcome: /no identity matched/.test(message) ? 'wrong-passphrase' : 'damaged' };
  return { outcome: 'failed', message, code: 'ERROR' };
}

// On Linux this sets the priority of this thread only. Elsewhere it would set the whole process's.
if (isBackground && process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
parentPort?.postMessage(await run().catch(resultOf));
