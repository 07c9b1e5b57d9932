import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes, in memory. */
export interface SmallDisk {
  folder: string;
  /** Takes all space that is left. */
  fill(): void;
  /** Gives back what {@link fill} took. */
  free(): void;
  remove(): void;
}

/** Mounts a small disk; null where this account may not mount. Must be removed. */
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
            // Full, to this size.
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    remove() {
      // Lazily: after a test that failed a server may still have files open there.
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
