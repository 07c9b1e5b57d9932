import type { TextKernel, TextLayout } from './text-kernel.js';
import type { TextTerm, TextWord } from './texts.js';

/** The postings of a term, or of a union of terms in the lane. Removed documents still have postings of terms. */
export type Postings = { term: number; count: number } | { from: number; count: number };

/** Finds the postings of a search's words for one thread, which holds the lock. */
export interface TextLookup {
  /** The number of a term; negative if there is none, and if there is no room to add it. */
  termOf(term: string, mayAdd: boolean): number;
  /**
   * Begins a search: makes a function that gives the postings of a word, one for each of its terms that documents have.
   * Null if a union has too many.
   */
  begin(): (word: TextWord) => Postings[] | null;
  /** How many documents there are. */
  rowsOf(postings: Postings): number;
  /** Makes the documents candidates that meet the filter. Returns whether there was room. */
  select(postings: Postings, isFiltered: boolean): boolean;
  /** Adds to the scores of the candidates. */
  score(postings: Postings): void;
}

/** The documents with a term that were removed, of so many removals. */
interface Removals {
  of: number;
  count: number;
}

/** Terms whose removed documents are kept. */
const MAX_KEPT = 20_000;
/** The id of a slot without a document. */
const NOTHING = -1;
/** In BM25, a term that most documents have still counts for this much. */
const LEAST_RARITY = 1e-6;

const encoder = new TextEncoder();

export function createTextLookup(
  kernel: TextKernel,
  layout: TextLayout,
  buffer: SharedArrayBuffer,
  lane: number,
): TextLookup {
  const at = (part: number) => kernel.addressOf(lane, part) >>> 0;
  const text = new Uint8Array(buffer, at(layout.TEXT), layout.MAX_TERM_BYTES);
  const listed = new Uint32Array(buffer, at(layout.GIVEN_TERMS), layout.MAX_GIVEN_TERMS);
  const united = new Uint32Array(buffer, at(layout.UNITED), layout.MAX_UNITED);
  const unitedWeights = new Uint32Array(buffer, at(layout.UNITED_WEIGHTS), layout.MAX_UNITED);
  /** `encodeInto` does not write to shared memory. */
  const encoded = new Uint8Array(layout.MAX_TERM_BYTES);

  /** Writes a term to the lane, cut where FTS5 cuts it, and returns its bytes. */
  const setText = (term: string): number => {
    const { written } = encoder.encodeInto(term, encoded);
    text.set(encoded.subarray(0, written));
    return written;
  };

  let kept = { generation: -1, removals: new Map<number, Removals>() };

  /** The removed documents that a term still has postings of: those that were counted before, and newer ones. */
  const removedWith = (term: number): number => {
    const removals = kernel.removals();
    if (removals === 0) return 0;
    const generation = kernel.generation();
    if (kept.generation !== generation || kept.removals.size > MAX_KEPT) kept = { generation, removals: new Map() };
    const before = kept.removals.get(term) ?? { of: 0, count: 0 };
    if (before.of === removals) return before.count;
    const count = before.count + kernel.removedWith(lane, term, before.of, removals);
    kept.removals.set(term, { of: removals, count });
    return count;
  };

  const rowsOf = (postings: Postings): number =>
    'term' in postings ? postings.count - removedWith(postings.term) : postings.count;

  const termsFrom = (beginning: string): number[] => {
    const count = kernel.termsFrom(lane, setText(beginning), layout.MAX_GIVEN_TERMS);
    return Array.from(listed.subarray(0, Math.min(count, layout.MAX_GIVEN_TERMS)));
  };

  /** Merges the postings of terms in the lane, from a place on, without removed documents. Null without room. */
  const unite = (terms: readonly number[], from: number): Postings | null => {
    let end = from;
    for (const term of terms) {
      if (end + kernel.postings(term) > layout.MAX_UNITED) return null;
      end += kernel.unite(lane, term, end);
    }
    const weights = new Map<number, number>();
    for (let place = from; place < end; place++) {
      const slot = united[place] ?? 0;
      if (kernel.idOf(slot) !== NOTHING) weights.set(slot, (weights.get(slot) ?? 0) + (unitedWeights[place] ?? 0));
    }
    united.set([...weights.keys()], from);
    unitedWeights.set([...weights.values()], from);
    return { from, count: weights.size };
  };

  const termOf: TextLookup['termOf'] = (term, mayAdd) => kernel.termOf(lane, setText(term), mayAdd);

  return {
    termOf,
    rowsOf,

    begin() {
      let from = 0;
      const postingsOf = (term: number): Postings => ({ term, count: kernel.postings(term) });
      const find = ({ text: searched, isBeginning = false }: TextTerm): Postings | null | undefined => {
        if (!isBeginning) {
          const term = termOf(searched, false);
          return term < 0 ? undefined : postingsOf(term);
        }
        const terms = termsFrom(searched);
        const [only] = terms;
        if (only === undefined || terms.length === 1) return only === undefined ? undefined : postingsOf(only);
        const union = unite(terms, from);
        from += union?.count ?? 0;
        return union;
      };
      return (word) => {
        const all = word.map(find);
        return all.includes(null) ? null : all.filter((postings) => postings != null);
      };
    },

    select: (postings, isFiltered) =>
      ('term' in postings
        ? kernel.select(lane, postings.term, isFiltered)
        : kernel.selectUnited(lane, postings.from, postings.count, isFiltered)) !== 0,

    score(postings) {
      const documents = kernel.count();
      const rows = rowsOf(postings);
      const rarity = Math.max(LEAST_RARITY, Math.log((documents - rows + 0.5) / (rows + 0.5)));
      if ('term' in postings) kernel.score(lane, postings.term, rarity);
      else kernel.scoreUnited(lane, postings.from, postings.count, rarity);
    },
  };
}
