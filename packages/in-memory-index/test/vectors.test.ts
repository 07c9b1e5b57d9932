import {
  createSharedVectors,
  FullError,
  openVectors,
  prepareQuery,
  quantise,
  similarityOf,
} from '@recollect/in-memory-index';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

type NaiveFilter = { from?: number; to?: number; labels?: (number | number[])[]; without?: number[] };
type Entry = { row: Uint8Array; value: number; labels: number[] };

const open = ({ dimensions = 8, budget = 2 ** 27, hasRows = true } = {}) => {
  const shared = createSharedVectors({ budget, threads: 2 });
  if (shared === null) throw new Error('This machine cannot run the kernel.');
  const vectors = openVectors(shared, 0);
  vectors.reset({ dimensions, hasRows });
  return { shared, vectors };
};

/** A unit vector that follows from a number. */
const unit = (seed: number, dimensions: number): Float32Array => {
  let state = seed * 2_654_435_761 + 1;
  const vector = Float32Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  const length = Math.hypot(...vector) || 1;
  return vector.map((component) => component / length);
};
const rowOf = (seed: number, dimensions: number) => new Uint8Array(quantise(unit(seed, dimensions)).buffer);

/** The naive implementation. */
const searchAll = (
  entries: ReadonlyMap<number, Entry>,
  query: Float32Array,
  { limit, filter = {} }: { limit: number; filter?: NaiveFilter },
) => {
  const prepared = prepareQuery(query);
  const { from = -Infinity, to = Infinity, labels = [], without = [] } = filter;
  return [...entries]
    .filter(
      ([, entry]) =>
        entry.value >= from &&
        entry.value < to &&
        labels.every((label) => [label].flat().some((one) => entry.labels.includes(one))) &&
        !without.some((one) => entry.labels.includes(one)),
    )
    .map(([id, { row }]) => ({ id, similarity: similarityOf(prepared, new Int8Array(row.buffer)) }))
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, limit);
};

const id = fc.integer({ min: 0, max: 40 }).map((small) => small * 77_777_777);
const facts = fc.record({
  value: fc.integer({ min: -5, max: 5 }),
  labels: fc.uniqueArray(fc.integer({ min: 0xfffffff0, max: 0xfffffff5 }), { maxLength: 4 }),
});
const change = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), id, seed: fc.nat(30), facts }),
  fc.record({ kind: fc.constant('describe' as const), id, facts }),
  fc.record({ kind: fc.constant('remove' as const), id }),
);
const wantedLabel = fc.integer({ min: 0xfffffff0, max: 0xfffffff6 });
const filter = fc.record(
  {
    from: fc.integer({ min: -6, max: 6 }),
    to: fc.integer({ min: -6, max: 6 }),
    labels: fc.array(fc.oneof(wantedLabel, fc.array(wantedLabel, { minLength: 1, maxLength: 3 })), { maxLength: 2 }),
    without: fc.array(wantedLabel, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

describe('vectors', () => {
  test('a search by rows finds the same as a naive search, after any changes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.array(change, { maxLength: 60 }),
        fc.nat(30),
        fc.integer({ min: 0, max: 50 }),
        filter,
        (dimensions, changes, query, limit, filter) => {
          const { shared, vectors } = open({ dimensions });
          const entries = new Map<number, Entry>();
          for (const step of changes) {
            vectors.change(({ put, describe, remove }) => {
              if (step.kind === 'put') {
                const row = rowOf(step.seed, dimensions);
                put(step.id, row, step.facts);
                entries.set(step.id, { row, ...step.facts });
              } else if (step.kind === 'describe') {
                const entry = entries.get(step.id);
                expect(describe(step.id, step.facts)).toBe(entry !== undefined);
                if (entry !== undefined) entries.set(step.id, { ...entry, ...step.facts });
              } else expect(remove(step.id)).toBe(entries.delete(step.id));
            });
          }
          const asked = unit(query, dimensions);
          const expected = searchAll(entries, asked, { limit, filter: filter as NaiveFilter });
          // Another thread's view of the same memory.
          for (const reader of [vectors, openVectors(shared, 1)]) {
            const found = reader.search(asked, { limit, filter });
            expect(found.map(({ similarity }) => similarity)).toEqual(expected.map(({ similarity }) => similarity));
            expect(reader.count()).toBe(entries.size);
            // Of equal ones at the end of the list, either may be found.
            const last = expected.at(-1)?.similarity;
            const clear = <Hit extends { similarity: number }>(hits: Hit[]) =>
              hits.filter(({ similarity }) => similarity !== last);
            expect(clear(found)).toEqual(clear(expected));
          }
          const ids = [...entries.keys(), 3];
          const scored = vectors.similarities(asked, ids);
          const all = new Map(searchAll(entries, asked, { limit: 100 }).map((hit) => [hit.id, hit.similarity]));
          expect(scored).toEqual(ids.map((known) => all.get(known) ?? Number.NaN));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('candidates by signs are those whose signs differ least, and the best of them are found', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 1_500 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        fc.nat(1_000),
        (dimensions, size, limit, hasRows, query) => {
          const { vectors } = open({ dimensions, hasRows });
          const rows = new Map(Array.from({ length: size }, (_, at) => [at, rowOf(at + 5_000, dimensions)]));
          vectors.change(({ put }) => {
            for (const [at, row] of rows) put(at, row, { value: at, labels: [] });
          });
          const asked = unit(query, dimensions);
          const candidates = limit + 30;
          const found = vectors.search(asked, {
            limit,
            signsFrom: 0,
            candidates,
            filter: { from: size / 4 },
            readRows: (ids) => ids.map((at) => ({ id: at, row: rows.get(at) ?? new Uint8Array() })),
          });
          const prepared = prepareQuery(asked);
          const distance = (row: Uint8Array) =>
            new Int8Array(row.buffer).reduce(
              (sum, component, at) => sum + Number(component < 0 !== (prepared.components[at] ?? 0) < 0),
              0,
            );
          const eligible = [...rows].filter(([at]) => at >= size / 4);
          const distances = eligible.map(([, row]) => distance(row)).sort((a, b) => a - b);
          const bar = distances[Math.min(candidates, distances.length) - 1] ?? 0;
          const score = (row: Uint8Array) => similarityOf(prepared, new Int8Array(row.buffer));
          const certain = eligible
            .filter(([, row]) => distance(row) < bar)
            .map(([, row]) => score(row))
            .sort((a, b) => b - a);
          expect(found.length).toBe(Math.min(limit, eligible.length));
          for (const [place, hit] of found.entries()) {
            expect(hit.similarity).toBe(score(rows.get(hit.id) ?? new Uint8Array()));
            expect(distance(rows.get(hit.id) ?? new Uint8Array())).toBeLessThanOrEqual(bar);
            if (place < certain.length) expect(hit.similarity).toBeGreaterThanOrEqual(certain[place] ?? -1);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('similarities are cosines', () => {
    const { vectors } = open({ dimensions: 384 });
    const seeds = Array.from({ length: 200 }, (_, at) => at);
    vectors.change(({ put }) => {
      for (const seed of seeds) put(seed, rowOf(seed, 384), { value: 0, labels: [] });
    });
    const query = unit(7, 384);
    for (const { id: found, similarity } of vectors.search(query, { limit: 200 })) {
      const cosine = unit(found, 384).reduce((sum, component, at) => sum + component * (query[at] ?? 0), 0);
      expect(Math.abs(similarity - cosine)).toBeLessThan(0.01);
    }
  });

  test('grows up to the budget, reuses removed slots, and is unchanged when it is full', {
    tags: 'long',
  }, () => {
    const { vectors } = open({ dimensions: 384, budget: 8 * 2 ** 20 });
    let added = 0;
    expect(() =>
      vectors.change(({ put }) => {
        for (; ; added++) put(added, rowOf(added, 384), { value: 0, labels: [1, 2] });
      }),
    ).toThrow(FullError);
    expect(added).toBeGreaterThan(5_000);
    expect(vectors.count()).toBe(added);
    const best = vectors.search(unit(10, 384), { limit: 1 });
    expect(best[0]?.id).toBe(10);
    vectors.change(({ remove }) => expect(remove(10)).toBe(true));
    vectors.change(({ put }) => put(1e9, rowOf(10, 384), { value: 0, labels: [] }));
    expect(vectors.search(unit(10, 384), { limit: 1 })[0]?.id).toBe(1e9);
    expect(vectors.count()).toBe(added);
  });

  test('rejects vectors of other dimensions, and too many dimensions or no budget give no index', () => {
    const { vectors } = open({ dimensions: 8 });
    expect(() => vectors.search(unit(1, 9), { limit: 1 })).toThrow(/The query has 9 components; the vectors have 8/);
    expect(() => vectors.change(({ put }) => put(1, rowOf(1, 7), { value: 0, labels: [] }))).toThrow(
      /A vector has 7 components; these have 8/,
    );
    expect(vectors.count()).toBe(0);
    for (const dimensions of [0, 4_097, 1.5])
      expect(() => vectors.reset({ dimensions, hasRows: true })).toThrow(/Vectors have 1 to 4096 components/);
    const make = (budget: number) => createSharedVectors({ budget, threads: 1 });
    expect([make(0), make(65_536)]).toEqual([null, null]);
    expect(make(2 ** 50)).not.toBeNull();
  });
});
