import type { QueryResult } from '@recollect/contract';
import { valuesOf } from '@recollect/contract/query-syntax';
import { foldWord } from '@recollect/contract/text';
import {
  type Comment,
  generatorOf,
  type Memory,
  type MemoryFilter,
  pictureHashes,
  readingMinutes,
} from '../../memory.js';
import type { FoundMemory, MemoryStore } from '../../ports/index.js';
import { createMarker, excerptOfHead, type Marker, type Reading } from '../make-excerpt.js';
import type { ParsedQuery } from '../parse-query.js';
import type { SearchBudget } from '../search-budget.js';
import { type Found, type Hit, SPARE_RESULTS } from './candidates.js';
import { createDeduplicator } from './deduplicate.js';

/** A hit, perhaps of a memory whose title is the query. */
type NamedHit = Hit & { isNamed?: boolean };

/** A memory with its result in the answer. */
export interface MemoryWithResult {
  chunk: string;
  /** Whether the chunk is all of its text. */
  isWhole: boolean;
  memory: Memory;
  result: QueryResult;
  /** The score that decided its place, relative to the other results of the query. */
  rank: number;
  /** Whether its title is the query, so that it stays first. */
  isNamed: boolean;
}

/** A query with only filters returns the newest memories that match them. */
export async function readNewest(
  memories: Pick<MemoryStore, 'list'>,
  userId: string,
  filter: MemoryFilter,
  limit: number,
): Promise<MemoryWithResult[]> {
  const listed = await memories.list(userId, { limit, after: null, filter });
  return listed.map((memory) => ({
    ...toResult(memory, excerptOfHead(memory), { score: 1, match: NO_MATCH }),
    chunk: '',
    isWhole: false,
    rank: 1,
    isNamed: false,
  }));
}

/**
 * The results of the best hits. Versions of a page, and memories whose texts are nearly the same, are one result: the
 * best of them, or the newest version of a page if it is about as good. Leaves out memories that a plugin wrote, unless
 * the query asks for them: a digest has words of everything that was saved.
 *
 * @param found has the memories of the first hits, which were read by the search
 */
export async function readResults(
  memories: Pick<MemoryStore, 'readHits' | 'find'>,
  userId: string,
  hits: readonly Hit[],
  { memories: firstMemories, withinWords }: Pick<Found, 'memories' | 'withinWords'>,
  { text, terms, filter, mistyped = [] }: ParsedQuery,
  { limit, budget, signal }: { limit: number; budget: SearchBudget; signal: AbortSignal | undefined },
): Promise<{ placed: MemoryWithResult[]; isPartial: boolean }> {
  const startedAt = performance.now();
  const results: MemoryWithResult[] = [];
  /** The pages of the results, by their URL keys. */
  const pages: (string | undefined)[] = [];
  const deduplicator = createDeduplicator(memories, userId);
  const marker = createMarker(terms.terms, terms.prefix, withinWords);
  const wantsGenerated = valuesOf(filter.by).some((by) => by.startsWith('plugin'));
  const isMistyped = terms.terms.map(([word, ...more]) => more.length === 0 && mistyped.includes(word ?? ''));
  let least = 1;
  let [at, wanted] = [0, limit + SPARE_RESULTS];
  while (results.length < limit && at < hits.length) {
    signal?.throwIfAborted();
    const next = hits.slice(at, at + wanted);
    const memoriesById = at === 0 ? firstMemories : await memories.readHits(userId, next);
    const ordered: readonly NamedHit[] = at === 0 ? exactTitlesFirst(next, memoriesById, text) : next;
    for (const hit of ordered) {
      const { memoryId, textShare, rank, isNamed = false } = hit;
      // Very many hits may be versions of each other. The first hits are enough for nearly all queries.
      if (at > 0 && performance.now() - startedAt > budget.left) return { placed: results, isPartial: true };
      const memory = memoriesById.get(memoryId);
      if (memory === undefined || (memory.savedBy?.client === 'plugin' && !wantsGenerated)) continue;
      const { chunk, chunkOffset: start } = memory;
      const place = { chunk, isWhole: memory.chunkCount === 1, rank, isNamed };
      const comments = hit.isInComments ? ((await memories.find(userId, memoryId))?.comments ?? []) : [];
      const reading = marker.read([memory.title, chunk, ...comments.map(wordsOf)].join('\n'));
      if (!isNamed) least = Math.min(least, scoreOf(hit, memory, { marker, reading, isMistyped }));
      const score = isNamed ? hit.score : least;
      const present = () => {
        const comment = bestComment(comments, marker);
        if (comment !== null) {
          const { author, text: said } = comment;
          const match = {
            ...sharesOf(textShare),
            terms: reading.terms,
            passage: NO_MATCH.passage,
            comment: { author },
          };
          return { ...toResult(memory, marker.excerptOf(said), { score, match }), ...place };
        }
        const title = start === 0 ? memory.title : undefined;
        const excerpt = marker.excerptOf(chunk, { title, isConversation: memory.captureMode === 'conversation' });
        const match = { ...sharesOf(textShare), terms: reading.terms, passage: { start, end: start + chunk.length } };
        return { ...toResult(memory, excerpt, { score, match }), ...place };
      };
      const page = memory.versionOf?.urlKey;
      const same = await deduplicator.place(memory);
      const better = results[same];
      if (better === undefined) {
        results.push(present());
        pages.push(page);
      } else {
        const isNewer = page !== undefined && page === pages[same] && memory.capturedAt > better.memory.capturedAt;
        const newer = isNewer ? present() : null;
        if (newer !== null && isAsGood(newer, better)) results[same] = instead(better, newer);
        else better.result.similar.push(idOf(memory));
      }
      if (results.length === limit) break;
    }
    at += wanted;
    wanted *= 2;
  }
  return { placed: results, isPartial: false };
}

/** The comment with the most words of the query. Null without comments. */
function bestComment(comments: readonly Comment[], marker: Marker): Comment | null {
  let best: { comment: Comment; terms: number } | null = null;
  for (const comment of comments) {
    const terms = marker.read(wordsOf(comment)).terms.length;
    if (best === null || terms > best.terms) best = { comment, terms };
  }
  return best?.comment ?? null;
}

function wordsOf({ author, text }: Comment): string {
  return `${author}\n${text}`;
}

/**
 * The score of a hit, which depends on how many of the words of the query it has. The mistyped ones, which it lacks, do
 * not count.
 */
function scoreOf(
  { score, scoreWith }: Hit,
  { tags, note, url, page }: FoundMemory,
  { marker, reading, isMistyped }: { marker: Marker; reading: Reading; isMistyped: readonly boolean[] },
): number {
  if (scoreWith === undefined) return score;
  const isMissing = (term: number) => !reading.has(term) && isMistyped[term] !== true;
  if (!isMistyped.some((_, term) => isMissing(term))) return score;
  const facts = marker.read([...tags, note, page.author, page.siteName, url].join('\n'));
  return Math.min(
    score,
    scoreWith((term) => !isMissing(term) || facts.has(term)),
  );
}

/** How much lower a newer version of a page may score than the former one that it stands for. */
const MAX_SCORE_DIFFERENCE = 0.05;

/** Whether a newer version of a page has all words of the query that a better one has, and about its score. */
function isAsGood({ result: newer }: MemoryWithResult, { result: better }: MemoryWithResult): boolean {
  const terms = new Set(newer.match.terms);
  return better.score - newer.score <= MAX_SCORE_DIFFERENCE && better.match.terms.every((term) => terms.has(term));
}

const idOf = ({ id, capturedAt }: Memory) => ({ id, capturedAt });

/** The newer version of a page in the place of a former one. */
function instead({ memory, result, rank, isNamed }: MemoryWithResult, newer: MemoryWithResult): MemoryWithResult {
  const similar = [...result.similar, idOf(memory)];
  return { ...newer, rank, isNamed, result: { ...newer.result, score: result.score, similar } };
}

/**
 * Puts memories whose title is the query first, with at least the best score: people look for a page by its name. By
 * words only, "router" would first find the page that repeats it most often.
 */
function exactTitlesFirst(
  hits: readonly Hit[],
  memoriesById: ReadonlyMap<string, FoundMemory>,
  text: string,
): readonly NamedHit[] {
  const key = titleKey(text);
  const hasExactTitle = ({ memoryId }: Hit) => titleKey(memoriesById.get(memoryId)?.title ?? '') === key;
  const matches = key === '' ? [] : hits.filter(hasExactTitle);
  if (matches.length === 0) return hits;
  const first = { score: Math.max(EXACT_TITLE_SCORE, hits[0]?.score ?? 0), isNamed: true };
  return [...matches.map((hit) => ({ ...hit, ...first })), ...hits.filter((hit) => !hasExactTitle(hit))];
}

/** The minimum score of an exact title (QRY-11). */
export const EXACT_TITLE_SCORE = 0.9;

function titleKey(title: string): string {
  return foldWord(title.replace(/\s+/g, ' ').trim());
}

/** A query of operators only matches by neither. */
const NO_MATCH: QueryResult['match'] = { text: 0, meaning: 0, terms: [], passage: { start: 0, end: 0 } };

/** The shares, rounded to two digits, which is all that people and programs need to know why a memory was found. */
function sharesOf(textShare: number): Pick<QueryResult['match'], 'text' | 'meaning'> {
  const text = Math.round(textShare * 100) / 100;
  return { text, meaning: Math.round((1 - text) * 100) / 100 };
}

function toResult(
  memory: Memory & Pick<FoundMemory, 'chunkCount'> & Partial<Pick<FoundMemory, 'versionOf'>>,
  excerpt: string,
  { score, match }: Pick<QueryResult, 'score' | 'match'>,
): Pick<MemoryWithResult, 'memory' | 'result'> {
  const { id, title, sourceType, url, tags, capturedAt, versionOf } = memory;
  const versions = versionOf?.versions ?? 1;
  return {
    memory,
    result: {
      id,
      title,
      sourceType,
      excerpt,
      url,
      score,
      tags: [...tags],
      capturedAt,
      starred: memory.starred,
      readState: memory.readState,
      place: memory.place,
      progress: memory.progress,
      minutes: readingMinutes(memory),
      generatedBy: generatorOf(memory),
      ...pictureHashes(memory),
      match,
      versions,
      similar: [],
    },
  };
}
