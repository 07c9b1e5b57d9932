import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findDamage } from '../find-damage.js';
import { createRandom } from '../random.js';
import { request } from '../request.js';
import { startServer } from '../server-process.js';
import { mountDisk } from './mount-disk.js';

export interface FullDiskReport {
  rounds: number;
  rejected: number;
  failures: string[];
}

const MEGABYTES = 24;

/**
 * Fills the disk under a running server and frees it again, so many times. Captures return 200 or 507, reading works,
 * and what was saved is there at the end. Returns null if this account may not mount a file system.
 */
export async function runFullDisk({ rounds, seed }: { rounds: number; seed: number }): Promise<FullDiskReport | null> {
  const disk = mountDisk(MEGABYTES);
  if (disk === null) return null;
  const random = createRandom(seed);
  const report: FullDiskReport = { rounds, rejected: 0, failures: [] };
  const folder = join(disk.folder, 'data');
  const saved: string[] = [];
  try {
    let server = await startServer(folder);
    const capture = async () => {
      const text = `Text ${saved.length} and ${random.next()}. `.repeat(1 + random.below(400));
      const { status, body } = await request(server.address, 'POST', '/api/v1/capture', { pageText: text });
      if (status === 200) saved.push(body.captures[0].id);
      else if (status === 507) report.rejected += 1;
      else report.failures.push(`a capture returned ${status} ${body?.code}`);
      return status;
    };
    for (let round = 0; round < rounds; round++) {
      await capture();
      await fill(join(disk.folder, 'filler'));
      for (let attempt = 0; attempt < 20 && (await capture()) === 200; attempt++);
      const { status } = await request(server.address, 'GET', '/api/v1/memories');
      if (status !== 200) report.failures.push(`reading on a full disk returned ${status}`);
      // Sometimes the server ends, by itself or not, while the disk is full.
      if (random.below(3) === 0) {
        await server.end(random.below(2) === 0 ? 'SIGKILL' : 'SIGTERM');
        server = await startServer(folder);
      }
      await rm(join(disk.folder, 'filler'));
      if ((await capture()) !== 200) report.failures.push('a capture was rejected although there was space again');
    }
    for (const id of saved) {
      const { status } = await request(server.address, 'GET', `/api/v1/memories/${id}`);
      if (status !== 200) report.failures.push(`a memory is lost (${status})`);
    }
    await server.end('SIGTERM');
    report.failures.push(...findDamage(join(folder, 'recollect.db')));
  } finally {
    disk.remove();
  }
  return report;
}

/** Uses up the free space. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const size of [65_536, 512]) {
      try {
        while ((await file.write(Buffer.alloc(size))).bytesWritten === size);
      } catch {
        // No room for another block of this size.
      }
    }
  } finally {
    await file.close();
  }
}
