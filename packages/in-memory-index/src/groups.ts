import type { TextKernel, TextLayout } from './text-kernel.js';

/** The groups of documents, for one thread, which holds the lock. */
export interface Groups {
  /** Writes the group of the next document to the lane. */
  setGroup(group: string | null): void;
  /** The groups of those documents that have one, and a label. */
  readGroups(ids: readonly number[], label: number): Map<number, string>;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const NONE = '0'.repeat(32);

export function createGroups(kernel: TextKernel, layout: TextLayout, buffer: SharedArrayBuffer, lane: number): Groups {
  const at = (part: number) => kernel.addressOf(lane, part) >>> 0;
  const given = Buffer.from(buffer, at(layout.GROUP), layout.GROUP_BYTES);
  const asked = new Float64Array(buffer, at(layout.CANDIDATE_SCORES), layout.MAX_GROUPS);
  const answered = Buffer.from(buffer, at(layout.UNITED), layout.MAX_GROUPS * layout.GROUP_BYTES);

  return {
    setGroup(group) {
      // A UUID in another spelling would be another text when it is read.
      if (group !== null && UUID.test(group)) given.write(group.replaceAll('-', ''), 'hex');
      else given.fill(0);
    },

    readGroups(ids, label) {
      const groups = new Map<number, string>();
      for (let from = 0; from < ids.length; from += layout.MAX_GROUPS) {
        const some = ids.slice(from, from + layout.MAX_GROUPS);
        asked.set(some);
        kernel.groups(lane, some.length, label);
        const hex = answered.toString('hex', 0, some.length * layout.GROUP_BYTES);
        for (const [place, id] of some.entries()) {
          const digits = hex.slice(32 * place, 32 * place + 32);
          if (digits !== NONE) groups.set(id, toUuid(digits));
        }
      }
      return groups;
    },
  };
}

function toUuid(digits: string): string {
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.join('-');
}
