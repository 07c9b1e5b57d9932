import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An in-memory file system of a few megabytes. */
export interface SmallDisk {
  folder: string;
  /** Uses up the free space. */
  fill(): void;
  /** Releases the space that {@link fill} used. */
  free(): void;
  remove(): void;
}

/** Mounts a small disk; null if this account may not mount. Call `remove` when done. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (const size of [65_536, 512]) {
          try {
            while (writeSync(file, Buffer.alloc(size)) === size);
          } catch {
            // No room for another block of this size.
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    remove() {
      // Lazily: after a failed test, a server may still have files open there.
      spawnSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether this account may mount file systems. */
export function canMount(): boolean {
  const disk = mountSmallDisk(1);
  disk?.remove();
  return disk !== null;
}
