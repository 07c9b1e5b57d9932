import type { FoundUrl, MemoryStore, PageVersion } from '@recollect/core';
import type { Database } from '../dialect.js';
import { activeMemories } from './active-memories.js';
import { completeKeys } from './complete-keys.js';
import { matchingMemories } from './filter.js';
import { readFound, VERSIONED } from './found-memories.js';
import { countedTags, readSpellings, readTimes } from './memory-counts.js';
import { readNotesLinkingTo, readNotesNamed, readTitles } from './note-links.js';
import { previousOwners } from './previous-hashes.js';

/** The live whole pages with a URL key, newest first. */
async function readPageVersions(
  { reader, utf16Length }: Pick<Database, 'reader' | 'utf16Length'>,
  userId: string,
  urlKey: string,
  limit: number,
): Promise<PageVersion[]> {
  const rows = await activeMemories(reader, userId)
    .select(['memories.id', 'memories.title', 'memories.captured_at'])
    .select((builder) =>
      builder
        .selectFrom('chunks')
        .select(({ fn, ref }) => fn.sum<number>(utf16Length(ref('chunks.text'))).as('characters'))
        .where('chunks.user_id', '=', userId)
        .whereRef('chunks.memory_id', '=', 'memories.id')
        .as('characters'),
    )
    .where('memories.url_key', '=', urlKey)
    .where('memories.capture_mode', '=', VERSIONED)
    .orderBy('memories.captured_at', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ captured_at: capturedAt, characters, ...row }) => ({
    ...row,
    capturedAt,
    characters: Number(characters ?? 0),
  }));
}

/** Looks up memories by search hits, URLs, tags and id prefixes. */
export function createMemorySearch(
  database: Database,
): Pick<
  MemoryStore,
  | 'readHits'
  | 'lookup'
  | 'deletedAmong'
  | 'withPreviousText'
  | 'withUrl'
  | 'pageVersions'
  | 'notesNamed'
  | 'notesLinkingTo'
  | 'titlesBeginningWith'
  | 'titlesOfSite'
  | 'matching'
  | 'tags'
  | 'completeTags'
  | 'spellings'
> {
  const { reader, isIn, utf16Length } = database;
  return {
    readHits: (userId, hits) =>
      readFound(
        database,
        userId,
        hits.map(({ chunkId }) => chunkId),
      ),

    async lookup(userId, urlKeys) {
      const rows = await activeMemories(reader, userId)
        .select(['url_key', 'id', 'title', 'captured_at', 'last_captured_at'])
        .where(isIn('url_key', urlKeys))
        .orderBy('last_captured_at')
        .orderBy('id')
        .execute();
      // Later rows win, so each key keeps its newest memory.
      return [...new Map(rows.map(toFoundUrl).map((page) => [page.urlKey, page])).values()];
    },

    notesNamed: (userId, keys, limit) => readNotesNamed(reader, userId, keys, limit),
    notesLinkingTo: (userId, keys, limit) => readNotesLinkingTo(reader, userId, keys, limit),
    titlesBeginningWith: (userId, text, limit) => readTitles(reader, userId, text, limit),

    async titlesOfSite(userId, site, limit) {
      const inOrder = (order: 'asc' | 'desc') =>
        activeMemories(reader, userId)
          .select(['id', 'title'])
          .where('site', '=', site)
          .orderBy('id', order)
          .limit(limit)
          .execute();
      const rows = [...(await inOrder('asc')), ...(await inOrder('desc'))];
      return [...new Map(rows.map(({ id, title }) => [id, title])).values()];
    },

    async deletedAmong(userId, { contentHashes, urlKeys }) {
      const onlyThere = (column: 'content_hash' | 'url_key', values: readonly string[]) =>
        reader
          .selectFrom('memories')
          .select(['content_hash', 'url_key'])
          .where('user_id', '=', userId)
          .where('deleted_at', 'is not', null)
          .where(isIn(column, values))
          .where(({ exists, not, selectFrom }) =>
            not(
              exists(
                selectFrom('memories as kept')
                  .select('kept.id')
                  .where('kept.user_id', '=', userId)
                  .where('kept.deleted_at', 'is', null)
                  .whereRef(`kept.${column}`, '=', `memories.${column}`),
              ),
            ),
          );
      // Apart, since with `or` the planner reads the whole trash.
      const rows = await onlyThere('content_hash', contentHashes).union(onlyThere('url_key', urlKeys)).execute();
      const edited = await previousOwners(reader, userId)
        .where(isIn('former_hashes.content_hash', contentHashes))
        .where('memories.deleted_at', 'is not', null)
        .execute();
      return [
        ...rows.map((row) => ({ contentHash: row.content_hash, urlKey: row.url_key })),
        ...edited.map((row) => ({ contentHash: row.content_hash, urlKey: null })),
      ];
    },

    async withPreviousText(userId, contentHashes) {
      const rows = await previousOwners(reader, userId)
        .where(isIn('former_hashes.content_hash', contentHashes))
        .where('memories.deleted_at', 'is', null)
        .execute();
      return rows.map((row) => ({ contentHash: row.content_hash, id: row.id }));
    },

    async withUrl(userId, urlKey, limit) {
      const rows = await activeMemories(reader, userId)
        .select(['url_key', 'id', 'title', 'captured_at', 'last_captured_at'])
        .where('url_key', '=', urlKey)
        .orderBy('captured_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toFoundUrl);
    },

    pageVersions: (userId, urlKey, limit) => readPageVersions({ reader, utf16Length }, userId, urlKey, limit),

    async matching(userId, filter) {
      const rows = await matchingMemories(reader, userId, filter)
        .orderBy('captured_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id }) => id);
    },

    async completeTags(userId, text, limit) {
      const keys = await completeKeys(reader, userId, text, limit);
      const spelled = await readSpellings({ reader, isIn }, userId, keys);
      return keys.map((key) => spelled.get(key) ?? key);
    },

    async tags(userId, limit) {
      const rows = await countedTags(reader, userId)
        // Ids are in the order in which memories were saved.
        .select(({ fn }) => fn.max('memory_id').as('newest'))
        .limit(limit)
        .execute();
      const spelled = await readSpellings(
        { reader, isIn },
        userId,
        rows.map(({ key }) => key),
      );
      const times = await readTimes(
        { reader, isIn },
        userId,
        rows.map(({ newest }) => newest),
      );
      return rows.map(({ key, count, newest }) => ({
        tag: spelled.get(key) ?? key,
        count,
        newestAt: times.get(newest) ?? '',
      }));
    },

    spellings: (userId, keys) => readSpellings({ reader, isIn }, userId, keys),
  };
}

function toFoundUrl(row: {
  url_key: string | null;
  id: string;
  title: string;
  captured_at: string;
  last_captured_at: string;
}): FoundUrl {
  return {
    urlKey: row.url_key ?? '',
    id: row.id,
    title: row.title,
    capturedAt: row.captured_at,
    lastCapturedAt: row.last_captured_at,
  };
}
