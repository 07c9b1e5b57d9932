import { createSharedTexts, FullError, openTexts, type Texts, type TextTerm } from '@recollect/in-memory-index';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

interface Entry {
  value: number;
  labels: number[];
  group: string | null;
  digest: number;
  length: number;
  terms: Map<string, number>;
}
interface NaiveFilter {
  from?: number;
  labels?: number[];
  without?: number[];
}

const open = (budget = 2 ** 28) => {
  const shared = createSharedTexts({ budget, threads: 2 });
  if (shared === null) throw new Error('This machine cannot run the kernel.');
  return { shared, texts: openTexts(shared, 0) };
};

/** Terms as documents and searches have them: short, so that they share beginnings, and some beyond ASCII. */
const WORDS = ['a', 'ab', 'abc', 'abcd', 'abcde', 'abd', 'b', 'ba', 'bad', 'zß', 'zßé', '東', '東京', '\u{1f41d}bee'];

const meets = ({ value, labels }: Entry, { from = -Infinity, labels: wanted = [], without = [] }: NaiveFilter) =>
  value >= from && wanted.every((label) => labels.includes(label)) && !without.some((label) => labels.includes(label));

/** The weight of each phrase of a search in a document, as FTS5 counts them. */
const weightOf = ({ terms }: Entry, { text, isBeginning = false }: TextTerm) =>
  [...terms].reduce(
    (sum, [term, weight]) => ((isBeginning ? term.startsWith(text) : term === text) ? sum + weight : sum),
    0,
  );

const rarityOf = (documents: number, rows: number) => {
  const rarity = Math.log((documents - rows + 0.5) / (rows + 0.5));
  return rarity > 0 ? rarity : 1e-6;
};

/** The naive implementation: BM25 as FTS5 computes it. */
const scoreAll = (entries: ReadonlyMap<number, Entry>, words: readonly (readonly TextTerm[])[]) => {
  const all = [...entries.values()];
  const average = all.reduce((sum, { length }) => sum + length, 0) / all.length;
  const phrases = words.flat();
  const rarities = phrases.map((phrase) =>
    rarityOf(all.length, all.filter((entry) => weightOf(entry, phrase) > 0).length),
  );
  return new Map(
    Array.from(entries, ([id, entry]) => {
      const score = phrases.reduce((sum, phrase, at) => {
        const weight = weightOf(entry, phrase);
        return sum + (rarities[at] ?? 0) * ((weight * 2.2) / (weight + 1.2 * (0.25 + (0.75 * entry.length) / average)));
      }, 0);
      return [id, score] as const;
    }),
  );
};

const has = (entry: Entry, word: readonly TextTerm[]) => word.some((term) => weightOf(entry, term) > 0);

const id = fc.integer({ min: 0, max: 30 }).map((small) => small * 33_333_333);
const facts = fc.record({
  value: fc.integer({ min: 0, max: 3 }),
  labels: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  group: fc.oneof(fc.uuid(), fc.constantFrom(null, 'no UUID', '01A22A5B-3F4C-7000-96CC-EDC457BAD949')),
});
const content = fc.record({
  digest: fc.nat(2),
  length: fc.integer({ min: 1, max: 9 }),
  terms: fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom(...WORDS),
        fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 ** 31 })),
      ),
      {
        selector: ([term]) => term,
        maxLength: 8,
      },
    )
    .map((terms) => new Map(terms)),
});
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), id, facts, content }) },
  fc.record({ kind: fc.constant('describe' as const), id, facts, digest: fc.nat(2) }),
  fc.record({ kind: fc.constant('remove' as const), id }),
);
const term = fc.record({ text: fc.constantFrom(...WORDS, 'none'), isBeginning: fc.boolean() });
const words = fc.array(fc.array(term, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 });
const filter: fc.Arbitrary<NaiveFilter> = fc.record(
  {
    from: fc.integer({ min: 0, max: 3 }),
    labels: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 1 }),
    without: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

/** In the only spelling that is kept. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const rounded = (score: number) => Number(score.toPrecision(10));

describe('a text index', () => {
  test('ranks, counts and lists the same as a naive search, after any changes', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        words,
        fc.nat(4),
        fc.integer({ min: 0, max: 30 }),
        filter,
        fc.uniqueArray(id, { maxLength: 4 }),
        (changes, words, selecting, limit, filter, also) => {
          const { shared, texts } = open();
          const other = openTexts(shared, 1);
          const entries = new Map<number, Entry>();
          for (const [at, step] of changes.entries()) {
            (at % 2 === 0 ? texts : other).change(({ put, describe, remove }) => {
              if (step.kind === 'put') {
                const entry = { ...step.facts, ...step.content };
                put({ id: step.id, ...entry });
                entries.set(step.id, entry);
              } else if (step.kind === 'describe') {
                const entry = entries.get(step.id);
                const isSame = entry?.digest === step.digest;
                expect(describe({ id: step.id, digest: step.digest, ...step.facts })).toBe(isSame);
                if (entry !== undefined && isSame) entries.set(step.id, { ...entry, ...step.facts });
              } else {
                remove(step.id);
                entries.delete(step.id);
              }
            });
          }
          const scores = scoreAll(entries, words);
          const selected = words.slice(0, selecting);
          const expected = [...entries]
            .filter(
              ([at, entry]) => !also.includes(at) && meets(entry, filter) && selected.some((word) => has(entry, word)),
            )
            .map(([at]) => ({ id: at, score: rounded(scores.get(at) ?? 0) }))
            .sort((a, b) => b.score - a.score || a.id - b.id);
          for (const reader of [texts, other]) {
            const ranked = reader.rank({ ranked: words, selecting, limit, filter, also });
            const hits = ranked?.hits.map(({ id: at, score }) => ({ id: at, score: rounded(score) })) ?? [];
            expect(hits.map(({ score }) => score)).toEqual(expected.slice(0, limit).map(({ score }) => score));
            // Of equal ones at the end of the list, any may be found.
            const last = hits.length === limit ? hits.at(-1)?.score : undefined;
            const clear = (some: typeof hits) =>
              some.filter(({ score }) => score !== last).sort((a, b) => b.score - a.score || a.id - b.id);
            expect(clear(hits)).toEqual(clear(expected.slice(0, limit)));
            const wanted = also.filter((at) => (scores.get(at) ?? 0) > 0);
            expect(new Map(Array.from(ranked?.scores ?? [], ([at, score]) => [at, rounded(score)]))).toEqual(
              new Map(wanted.map((at) => [at, rounded(scores.get(at) ?? 0)])),
            );
            for (const some of [{}, filter]) {
              const counts = words.map(
                (word) => [...entries.values()].filter((entry) => meets(entry, some) && has(entry, word)).length,
              );
              expect(reader.rows(words, { limit: 100, filter: some })).toEqual(counts);
            }
            const single = words.map(([first]) => [{ text: first?.text ?? '' }]);
            expect(reader.newest(single, { limit, filter })).toEqual(
              [...entries]
                .filter(([, entry]) => meets(entry, filter) && single.every((word) => has(entry, word)))
                .map(([at]) => at)
                .sort((a, b) => b - a)
                .slice(0, limit),
            );
            expect(reader.size().documents).toBe(entries.size);
            const asked = [...entries.keys(), 7];
            const grouped = [...entries].filter(
              ([, { group, labels }]) => group !== null && UUID.test(group) && labels.includes(1),
            );
            expect(reader.readFacts(asked)).toEqual(
              asked.map((at) => {
                const { value, labels } = entries.get(at) ?? {};
                return value === undefined ? undefined : { value, labels };
              }),
            );
            expect(reader.readGroups(asked, 1)).toEqual(new Map(grouped.map(([at, { group }]) => [at, group])));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('ranks and lists the same over many blocks of postings, with documents moved and removed', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 2_000 }), (seed, size) => {
        const { texts } = open();
        let state = seed;
        const next = (below: number) => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return Math.floor((state / 2 ** 32) * below);
        };
        const entries = new Map<number, Entry>();
        // Word w is in about one document of w + 1.
        const write = (at: number): Entry => {
          const found = Array.from({ length: 30 }, (_, word) => word).filter((word) => next(word + 1) === 0);
          const terms = new Map(found.map((word) => [`w${word}`, 1 + next(next(50) === 0 ? 70_000 : 3)]));
          return { value: at % 7, labels: [at % 3], group: null, digest: at, length: 20 + next(200), terms };
        };
        const put = (at: number) => {
          const entry = write(at);
          entries.set(at, entry);
          texts.change((changes) => changes.put({ id: at, ...entry }));
        };
        for (let at = 0; at < size; at++) put(at);
        for (let moved = next(100); moved > 0; moved--) put(next(size));
        texts.change(({ remove }) => {
          for (let removed = next(100); removed > 0; removed--) {
            const at = next(size);
            remove(at);
            entries.delete(at);
          }
        });
        for (let asked = 0; asked < 5; asked++) {
          const word = (at: number) => [{ text: `w${at}` }];
          const words = [word(next(10)), word(10 + next(10)), word(20 + next(10))];
          const filter = next(2) === 0 ? {} : { labels: [next(3)], from: next(7) };
          const scores = scoreAll(entries, words);
          const eligible = [...entries].filter(([, entry]) => meets(entry, filter));
          const expected = eligible
            .filter(([, entry]) => words.some((some) => has(entry, some)))
            .map(([at]) => rounded(scores.get(at) ?? 0))
            .sort((a, b) => b - a);
          const limit = 1 + next(300);
          const ranked = texts.rank({ ranked: words, limit, filter });
          expect(ranked?.hits.map(({ score }) => rounded(score))).toEqual(expected.slice(0, limit));
          for (const { id: at, score } of ranked?.hits ?? []) expect(rounded(score)).toBe(rounded(scores.get(at) ?? 0));
          expect(texts.rows(words, { limit: 3_000 })).toEqual(
            words.map((some) => [...entries.values()].filter((entry) => has(entry, some)).length),
          );
          const both = words.slice(0, 2);
          expect(texts.newest(both, { limit, filter })).toEqual(
            eligible
              .filter(([, entry]) => both.every((some) => has(entry, some)))
              .map(([at]) => at)
              .sort((a, b) => b - a)
              .slice(0, limit),
          );
        }
      }),
      { numRuns: 5 },
    );
  });

  test('an image continues in another memory, and changes there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 200_000 }), (size, part) => {
        const { texts } = open();
        const terms = (at: number): [string, number][] => [
          ['tea', 1 + (at % 3)],
          [`w${at % 50}`, 1],
        ];
        const put = (some: Texts, at: number) =>
          some.change((changes) =>
            changes.put({ id: at, value: at, labels: [at % 3], group: null, digest: at, length: 5, terms: terms(at) }),
          );
        for (let at = 0; at < size; at++) put(texts, at);
        texts.change(({ remove }) => remove(0));

        const { shared, texts: copy } = open();
        put(copy, 5_000);
        const bytes = texts.image.bytes();
        copy.image.begin(bytes);
        for (let from = 0; from < bytes; from += part) {
          const some = new Uint8Array(Math.min(part, bytes - from));
          texts.image.read(from, some);
          copy.image.write(from, some);
        }
        for (const some of [texts, copy]) for (let at = size; at < size + 200; at++) put(some, at);
        const other = openTexts(shared, 1);
        for (const word of ['tea', 'w7', 'none']) {
          const request = { ranked: [[{ text: word }]], limit: 1_000, filter: { labels: [1] } };
          expect(other.rank(request)).toEqual(texts.rank(request));
        }
        expect(other.size()).toEqual(texts.size());
      }),
      { numRuns: 10 },
    );
  });

  test('gives no result instead of one that leaves out documents', () => {
    const { texts } = open();
    texts.change(({ put }) => {
      for (let at = 0; at < 40_000; at++)
        put({
          id: at,
          value: 0,
          labels: [],
          group: null,
          digest: 0,
          length: 1,
          terms: [[at % 2 === 0 ? 'ab' : 'ac', 1]],
        });
    });
    const beginning = [[{ text: 'a', isBeginning: true }]];
    expect(texts.rank({ ranked: beginning, limit: 10 })).toBeNull();
    expect(texts.newest(beginning, { limit: 10 })).toBeNull();
    expect(texts.rows(beginning, { limit: 10 })).toEqual([40_000]);
    expect(texts.rank({ ranked: [[{ text: 'ab' }]], limit: 10 })?.hits.map(({ id: at }) => at)).toEqual(
      Array.from({ length: 10 }, (_, at) => 2 * at),
    );
  });

  test('does not exceed its budget, and needs one', { tags: 'long' }, () => {
    expect(createSharedTexts({ budget: 2 ** 25, threads: 2 })).toBeNull();
    expect(createSharedTexts({ budget: 2 ** 28, threads: 17 })).toBeNull();
    const { texts } = open(2 ** 26);
    const terms = Array.from({ length: 100 }, (_, at): [string, number] => [`w${at}`, 1]);
    let added = 0;
    expect(() =>
      texts.change(({ put }) => {
        for (; ; added++) put({ id: added, value: 0, labels: [added], group: null, digest: 0, length: 100, terms });
      }),
    ).toThrow(FullError);
    expect(added).toBeGreaterThan(50_000);
    expect(() => texts.image.begin(2 ** 27)).toThrow(FullError);
    texts.reset();
    texts.change(({ put }) => put({ id: 1, value: 0, labels: [], group: null, digest: 0, length: 100, terms }));
    expect(texts.rows([[{ text: 'w1' }]], { limit: 10 })).toEqual([1]);
  });
});
