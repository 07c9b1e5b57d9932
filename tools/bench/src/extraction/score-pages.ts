import type { KnownPage } from './page-set.js';

/** How well an extractor did on a set of pages. */
export interface PagesScore {
  /** How many pages it found no text in. */
  empty: number;
  /** Runs of four words, averaged over the pages of which only the text is known. */
  runs?: { f1: number; precision: number; recall: number };
  /** The mean F1 of words, for each kind of page and over all pages. */
  words?: Record<string, number>;
  /** Phrases over all pages. */
  phrases?: { f1: number; precision: number; recall: number };
  /** The pages with the lowest scores, worst first. */
  worst: readonly { url: string; score: number }[];
}

/** Words of a run. */
const RUN = 4;
const WORST = 10;

/**
 * Scores the texts that an extractor found in pages, each as its public set is scored: articles by runs of four words
 * (article-extraction-benchmark), pages of known kinds by the F1 of their words (WCXB), and others by phrases
 * (trafilatura).
 *
 * @param texts plain texts, in the order of the pages
 */
export function scorePages(pages: readonly KnownPage[], texts: readonly string[]): PagesScore {
  const scores = pages.map((page, place) => scorePage(page, texts[place] ?? ''));
  const ranked = pages.map(({ url }, place) => ({ url, score: scores[place]?.f1 ?? 0 }));
  const phrases = scores.flatMap(({ phrases }) => phrases ?? []);
  const runs = scores.flatMap(({ runs }) => runs ?? []);
  const byKind = Map.groupBy(pages.keys(), (place) => (scores[place]?.words === undefined ? '' : pages[place]?.kind));
  const words: Record<string, number> = {};
  for (const [kind, places] of byKind)
    if (kind !== undefined && kind !== '') words[kind] = mean([...places].map((place) => scores[place]?.words ?? 0));
  return {
    empty: texts.filter((text) => text.trim() === '').length,
    ...(runs.length > 0 && {
      runs: combine(mean(runs.map(({ precision }) => precision)), mean(runs.map(({ recall }) => recall))),
    }),
    ...(Object.keys(words).length > 0 && {
      words: { all: mean(scores.flatMap((score) => score.words ?? [])), ...words },
    }),
    ...(phrases.length > 0 && { phrases: scorePhrases(phrases) }),
    worst: ranked.sort((a, b) => a.score - b.score).slice(0, WORST),
  };
}

interface PageScore {
  f1: number;
  runs?: { precision: number; recall: number };
  words?: number;
  phrases?: PhraseCounts;
}

interface PhraseCounts {
  kept: number;
  missed: number;
  wrong: number;
}

function scorePage(page: KnownPage, text: string): PageScore {
  const phrases = countPhrases(page, text);
  if (page.text === undefined) return { f1: scorePhrases([phrases]).f1, phrases };
  if (page.kind === undefined) {
    const [found, expected] = [runsOf(text), runsOf(page.text)];
    const shared = found.size === 0 ? 0 : overlap(found, expected);
    const runs = { precision: shared / Math.max(1, total(found)), recall: shared / Math.max(1, total(expected)) };
    return { f1: combine(runs.precision, runs.recall).f1, runs };
  }
  const [found, expected] = [wordsOf(text), wordsOf(page.text)].map(countsOf) as [Counts, Counts];
  const size = total(found) + total(expected);
  const words = size === 0 ? 1 : (2 * overlap(found, expected)) / size;
  return { f1: words, words, phrases };
}

function countPhrases(page: KnownPage, text: string): PhraseCounts {
  const letters = lettersOf(text);
  const isIn = (phrase: string) => lettersOf(phrase) !== '' && letters.includes(lettersOf(phrase));
  const kept = page.with.filter(isIn).length;
  return { kept, missed: page.with.length - kept, wrong: page.without.filter(isIn).length };
}

function scorePhrases(counts: readonly PhraseCounts[]): NonNullable<PagesScore['phrases']> {
  const [kept, missed, wrong] = (['kept', 'missed', 'wrong'] as const).map((name) =>
    counts.reduce((sum, count) => sum + count[name], 0),
  ) as [number, number, number];
  return combine(kept / Math.max(1, kept + wrong), kept / Math.max(1, kept + missed));
}

type Counts = ReadonlyMap<string, number>;

function countsOf(items: readonly string[]): Counts {
  return new Map([...Map.groupBy(items, (item) => item)].map(([item, same]) => [item, same.length]));
}

function overlap(a: Counts, b: Counts): number {
  return [...a].reduce((sum, [item, count]) => sum + Math.min(count, b.get(item) ?? 0), 0);
}

function total(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function runsOf(text: string): Counts {
  const words = text.toLowerCase().match(/\w+/gu) ?? [];
  const starts = Array.from({ length: Math.max(1, words.length - RUN + 1) }, (_, start) => start);
  return countsOf(starts.map((start) => words.slice(start, start + RUN).join(' ')).filter((run) => run !== ''));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function combine(precision: number, recall: number) {
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
