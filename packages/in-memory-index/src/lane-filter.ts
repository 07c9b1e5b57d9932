/** The filter values of a vector or a document. */
export interface Facts {
  /** A number, such as a time. */
  value: number;
  /** Unsigned 32-bit numbers, such as hashes of tags. */
  labels: readonly number[];
}

export interface Filter {
  /** The least value. */
  from?: number | undefined;
  /** The value that is too large. */
  to?: number | undefined;
  /** Labels that a vector must have, all of them; of a list among them, at least one. */
  labels?: readonly (number | readonly number[])[] | undefined;
  /** Labels of which a vector must have none. */
  without?: readonly number[] | undefined;
}

type FilterLayout = Record<'FROM' | 'WANTED_COUNT' | 'WANTED' | 'NONE_OF' | 'GIVEN' | 'MAX_LABELS', number>;

/** Writes labels and filters to the lane of a thread. */
export interface LaneFilter {
  /** Writes the labels of an entry, and returns their number. */
  setLabels(labels: readonly number[]): number;
  /** Writes a filter, and returns whether it excludes anything. */
  setFilter(filter: Filter): boolean;
}

/** @param at gives the address of a part of the lane */
export function createLaneFilter(
  buffer: SharedArrayBuffer,
  at: (part: number) => number,
  layout: FilterLayout,
): LaneFilter {
  const given = new Uint32Array(buffer, at(layout.GIVEN), layout.MAX_LABELS);
  const wanted = new Uint32Array(buffer, at(layout.WANTED), layout.MAX_LABELS);
  const wantedCount = new Uint32Array(buffer, at(layout.WANTED_COUNT), 1);
  const bounds = new Float64Array(buffer, at(layout.FROM), 2);
  const set = (target: Uint32Array, labels: readonly number[]) => {
    if (labels.length > layout.MAX_LABELS) throw new RangeError(`At most ${layout.MAX_LABELS} labels are possible.`);
    target.set(labels);
    return labels.length;
  };
  return {
    setLabels: (labels) => set(given, labels),
    setFilter({ from = -Infinity, to = Infinity, labels = [], without = [] }) {
      bounds.set([from, to]);
      const lists = labels.map((label) => (typeof label === 'number' ? [label] : label));
      wantedCount[0] = set(wanted, [
        ...lists.flatMap((list) => [list.length, ...list]),
        ...(without.length > 0 ? [(layout.NONE_OF | without.length) >>> 0, ...without] : []),
      ]);
      return labels.length > 0 || without.length > 0 || from !== -Infinity || to !== Infinity;
    },
  };
}
