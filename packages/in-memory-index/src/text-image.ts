import type { Lock } from './lock.js';
import { FullError } from './open-vectors.js';
import { PAGE } from './shared-vectors.js';
import type { TextKernel, TextLayout } from './text-kernel.js';
import type { TextImage } from './texts.js';

/** The header after the lock and the generation, which an image does not have. */
const HEADER = 16;

/**
 * Gives access to the memory of an index as one piece: its header and directories, and everything behind the lanes,
 * which do not belong to it.
 */
export function createTextImage(
  kernel: TextKernel,
  layout: TextLayout,
  memory: WebAssembly.Memory,
  lock: Lock,
): TextImage {
  const headerBytes = layout.FIRST_LANE - HEADER;
  const end = () => kernel.used() >>> 0;

  /** The parts of the memory that hold a part of the image. */
  const placesOf = (from: number, bytes: number): { at: number; offset: number; length: number }[] => {
    const inHeader = Math.max(0, Math.min(bytes, headerBytes - from));
    return [
      { at: HEADER + from, offset: 0, length: inHeader },
      {
        at: layout.FIRST_FREE + Math.max(0, from - headerBytes),
        offset: inHeader,
        length: bytes - inHeader,
      },
    ].filter(({ length }) => length > 0);
  };

  return {
    bytes: () => lock.share(() => headerBytes + end() - layout.FIRST_FREE),

    read: (from, target) =>
      lock.share(() => {
        for (const { at, offset, length } of placesOf(from, target.length))
          target.set(new Uint8Array(memory.buffer, at, length), offset);
      }),

    begin: (bytes) =>
      lock.holdAlone(() => {
        if (kernel.reset() === 0) throw new FullError('The memory for the text index is full.');
        const missing = layout.FIRST_FREE + bytes - headerBytes - memory.buffer.byteLength;
        if (missing <= 0) return;
        try {
          memory.grow(Math.ceil(missing / PAGE));
        } catch (cause) {
          throw new FullError('The memory for the text index is full.', { cause });
        }
      }),

    write: (from, part) =>
      lock.holdAlone(() => {
        for (const { at, offset, length } of placesOf(from, part.length))
          new Uint8Array(memory.buffer, at, length).set(part.subarray(offset, offset + length));
      }),
  };
}
