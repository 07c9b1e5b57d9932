import type { Facts } from './lane-filter.js';
import type { TextKernel, TextLayout } from './text-kernel.js';

/** Reads and writes groups and filter values of documents, for one thread. The caller holds the lock. */
export interface DocumentFactsAccess {
  /** Writes the group of the next document to the lane. */
  setGroup(group: string | null): void;
  /** Returns the groups of documents with a label, by document id. Omits documents without a group. */
  readGroups(ids: readonly number[], label: number): Map<number, string>;
  /** Returns the filter values of documents, in their order; undefined for a missing document. */
  readFacts(ids: readonly number[]): (Facts | undefined)[];
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const NONE = '0'.repeat(32);

export function accessFacts(
  kernel: TextKernel,
  layout: TextLayout,
  buffer: SharedArrayBuffer,
  lane: number,
): DocumentFactsAccess {
  const at = (part: number) => kernel.addressOf(lane, part) >>> 0;
  const given = Buffer.from(buffer, at(layout.GROUP), layout.GROUP_BYTES);
  const asked = new Float64Array(buffer, at(layout.CANDIDATE_SCORES), layout.MAX_LOOKED_UP);
  const groups = Buffer.from(buffer, at(layout.UNITED), layout.MAX_LOOKED_UP * layout.GROUP_BYTES);
  const labels = new Uint32Array(buffer, at(layout.UNITED), layout.MAX_LABEL_WORDS);
  const values = new Float64Array(buffer, at(layout.BEST_SCORES), layout.MAX_LOOKED_UP);
  const noDocument = layout.NO_DOCUMENT >>> 0;

  /** Writes the first ids to the lane. Returns how many. */
  const ask = (ids: readonly number[], from: number): number => {
    const some = ids.slice(from, from + layout.MAX_LOOKED_UP);
    asked.set(some);
    return some.length;
  };

  return {
    setGroup(group) {
      // Only lower-case UUIDs can be restored exactly.
      if (group !== null && UUID.test(group)) given.write(group.replaceAll('-', ''), 'hex');
      else given.fill(0);
    },

    readGroups(ids, label) {
      const found = new Map<number, string>();
      for (let from = 0; from < ids.length; from += layout.MAX_LOOKED_UP) {
        const count = ask(ids, from);
        kernel.groups(lane, count, label);
        const hex = groups.toString('hex', 0, count * layout.GROUP_BYTES);
        for (let place = 0; place < count; place++) {
          const digits = hex.slice(32 * place, 32 * place + 32);
          if (digits !== NONE) found.set(ids[from + place] ?? 0, toUuid(digits));
        }
      }
      return found;
    },

    readFacts(ids) {
      const facts: (Facts | undefined)[] = [];
      while (facts.length < ids.length) {
        const count = kernel.facts(lane, ask(ids, facts.length));
        let next = 0;
        for (let place = 0; place < count; place++) {
          const length = labels[next++] ?? 0;
          if (length === noDocument) facts.push(undefined);
          else {
            facts.push({ value: values[place] ?? 0, labels: Array.from(labels.subarray(next, next + length)) });
            next += length;
          }
        }
      }
      return facts;
    },
  };
}

function toUuid(digits: string): string {
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.join('-');
}
