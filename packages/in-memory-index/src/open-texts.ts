import { accessFacts } from './document-facts.js';
import { createLaneFilter } from './lane-filter.js';
import { createLock } from './lock.js';
import { FullError } from './open-vectors.js';
import type { SharedTexts } from './shared-texts.js';
import { createTextImage } from './text-image.js';
import { startTextKernel } from './text-kernel.js';
import { createTextLookup, type Postings } from './text-lookup.js';
import type { TextHit, Texts } from './texts.js';

/** The terms of this thread whose numbers are kept. */
const MAX_KEPT_TERMS = 100_000;
/** The bit of a candidate whose score is wanted. */
const WANTED_SCORE = 0x80000000;
/**
 * Opens a shared text index in a thread. Two threads must not use the same lane.
 *
 * @param lane from 0, below the number of threads that the index was made for
 * @example
 * const shared = createSharedTexts({ budget: 2 ** 28, threads: 2 });
 * if (shared === null) throw new Error('This machine cannot keep a text index.');
 * const texts = openTexts(shared, 0);
 * const terms: [string, number][] = [['tea', 2]];
 * texts.change(({ put }) => put({ id: 1, length: 5, digest: 0, value: 0, labels: [], group: null, terms }));
 * texts.rank({ ranked: [[{ text: 'tea' }]], limit: 10 }); // { hits: [{ id: 1, score: … }], … }
 */
export function openTexts({ module, memory }: SharedTexts, lane: number): Texts {
  const { kernel, layout } = startTextKernel(module, memory);
  if (lane >= layout.LANES) throw new RangeError(`At most ${layout.LANES} threads can open a text index.`);
  const buffer = memory.buffer as unknown as SharedArrayBuffer;
  const lock = createLock(new Int32Array(buffer, 0, 2));
  const at = (part: number) => kernel.addressOf(lane, part) >>> 0;
  const { setLabels, setFilter } = createLaneFilter(buffer, at, layout);
  const given = new Uint32Array(buffer, at(layout.GIVEN_TERMS), 2 * layout.MAX_GIVEN_TERMS);
  const best = new Uint32Array(buffer, at(layout.BEST), layout.MAX_CANDIDATES);
  const bestScores = new Float64Array(buffer, at(layout.BEST_SCORES), layout.MAX_CANDIDATES);
  const candidates = new Uint32Array(buffer, at(layout.CANDIDATES), layout.MAX_CANDIDATES);
  const candidateScores = new Float64Array(buffer, at(layout.CANDIDATE_SCORES), layout.MAX_CANDIDATES);
  const lookup = createTextLookup(kernel, layout, buffer, lane);
  const { setGroup, readGroups, readFacts } = accessFacts(kernel, layout, buffer, lane);

  let kept = { generation: -1, terms: new Map<string, number>() };
  const forgetOldTerms = () => {
    const generation = kernel.generation();
    if (kept.generation !== generation || kept.terms.size > MAX_KEPT_TERMS) kept = { generation, terms: new Map() };
  };

  const demandRoom = (isDone: boolean) => {
    if (!isDone) throw new FullError('The memory for the text index is full.');
  };
  const addTerm = (term: string): number => {
    const { terms } = kept;
    const known = terms.get(term);
    if (known !== undefined) return known;
    const added = lookup.termOf(term, true);
    demandRoom(added >= 0);
    terms.set(term, added);
    return added;
  };

  const countOf = (all: readonly Postings[], isFiltered: boolean, limit: number): number => {
    const [only] = all;
    if (only === undefined) return 0;
    if (all.length === 1 && !isFiltered) return lookup.rowsOf(only);
    if (all.length === 1 && 'term' in only) return Math.round(kernel.countEligible(lane, only.term, limit));
    const most = all.reduce((sum, { count }) => sum + count, 0);
    kernel.begin(lane, most);
    return all.every((postings) => lookup.select(postings, isFiltered)) ? kernel.candidates(lane) : most;
  };

  const readBest = (count: number): TextHit[] =>
    Array.from({ length: count }, (_, place) => ({
      id: kernel.idOf(best[place] ?? 0),
      score: bestScores[place] ?? 0,
    }));

  return {
    reset: () => lock.holdAlone(() => demandRoom(kernel.reset() !== 0)),
    size: () => lock.share(() => ({ documents: kernel.count(), added: kernel.slots(), terms: kernel.terms() })),
    bytes: () => lock.share(() => (kernel.used() >>> 0) - layout.FIRST_FREE),
    image: createTextImage(kernel, layout, memory, lock),

    change: (work) =>
      lock.holdAlone(() => {
        forgetOldTerms();
        return work({
          put({ id, value, labels, group, length, digest, terms }) {
            let count = 0;
            for (const [term, weight] of terms) {
              if (count === layout.MAX_GIVEN_TERMS) break;
              given[2 * count] = addTerm(term);
              given[2 * count + 1] = weight;
              count++;
            }
            setGroup(group);
            demandRoom(kernel.put(lane, id, value, setLabels(labels), length, digest, count) !== 0);
          },
          describe({ id, value, labels, group, digest }) {
            setGroup(group);
            const outcome = kernel.describe(lane, id, value, setLabels(labels), digest);
            demandRoom(outcome >= 0);
            return outcome === 1;
          },
          remove: (id) => demandRoom(kernel.remove(id) !== 0),
        });
      }),

    readFacts: (ids) => lock.tryShare(() => readFacts(ids)),
    readGroups: (ids, label) => lock.tryShare(() => readGroups(ids, label)),

    rows: (words, { limit, filter = {} }) =>
      lock.share(() => {
        const isFiltered = setFilter(filter);
        return words.map((word) => {
          const all = lookup.begin()(word);
          return all === null ? kernel.count() : countOf(all, isFiltered, limit);
        });
      }),

    rank: ({ ranked, selecting = ranked.length, limit, filter = {}, also = [] }) =>
      lock.share(() => {
        const isFiltered = setFilter(filter);
        const lookUp = lookup.begin();
        const ranking = ranked.map(lookUp);
        if (ranking.includes(null)) return null;
        const lists = ranking.flatMap((all) => all ?? []);
        const selected = ranking.slice(0, selecting).flatMap((all) => all ?? []);
        kernel.begin(
          lane,
          selected.reduce((sum, { count }) => sum + count, also.length),
        );
        if (!also.every((id) => kernel.want(lane, id) !== 0)) return null;
        if (!selected.every((postings) => lookup.select(postings, isFiltered))) return null;
        for (const postings of lists) lookup.score(postings);
        const hits = readBest(kernel.best(lane, Math.min(limit, layout.MAX_CANDIDATES))).sort(bestFirst);
        const scores = new Map<number, number>();
        // Documents whose scores are wanted come first.
        for (let place = 0; place < also.length && place < kernel.candidates(lane); place++) {
          const slot = candidates[place] ?? 0;
          const score = candidateScores[place] ?? 0;
          if (slot >= WANTED_SCORE && score > 0) scores.set(kernel.idOf(slot - WANTED_SCORE), score);
        }
        return { hits, scores };
      }),

    newest: (words, { limit, filter = {} }) =>
      lock.share(() => {
        const isFiltered = setFilter(filter);
        const lookUp = lookup.begin();
        const all = words.map(lookUp);
        const terms = all.flatMap((word) =>
          word?.length === 1 && word[0] !== undefined && 'term' in word[0] ? [word[0]] : [],
        );
        if (terms.length < words.length) return all.some((word) => word !== null && word.length === 0) ? [] : null;
        terms.sort((a, b) => a.count - b.count);
        given.set(terms.map(({ term }) => term));
        const count = kernel.newest(lane, terms.length, Math.min(limit, layout.MAX_CANDIDATES), isFiltered);
        return readBest(count)
          .map(({ id }) => id)
          .sort((a, b) => b - a);
      }),
  };
}

function bestFirst(a: TextHit, b: TextHit): number {
  return b.score - a.score || a.id - b.id;
}
