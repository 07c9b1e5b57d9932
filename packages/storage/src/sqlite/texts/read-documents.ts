import { normaliseText } from '@recollect/core/threads';
import type { TextDocument } from '@recollect/in-memory-index';
import type Sqlite from 'better-sqlite3';
import { type IndexedRow, toTextRow } from '../../indexing/stored-text-row.js';
import { factsOf, type MemoryFacts } from '../vectors/labels.js';
import type { Tokenizer } from './create-tokenizer.js';

/** A chunk with the columns from which its document in the index is built. */
type Row = IndexedRow & Omit<MemoryFacts, 'tags'> & { memoryId: string; deletedAt: string | null };

/** What has changed since an index in memory was last updated. */
export interface ChangedTexts {
  /** The number of the newest change that this includes. */
  newest: number;
  /** Chunks that were removed. */
  removed: number[];
  /** The present rows of the changed memories. */
  rows: StoredText[];
}

/** A chunk, whose terms are found when they are wanted. */
export interface StoredText {
  id: number;
  /** A hash of the searched texts. */
  digest: number;
  facts: Pick<TextDocument, 'value' | 'labels' | 'group'>;
  title: string;
  body: string;
  notes: string;
}

/** Reads the texts of chunks for an index in memory, on the calling thread. */
export interface DocumentReader {
  /** Changes after a number, of at most so many. Null if some of them are no longer known. */
  readChanges(since: number, limit: number): ChangedTexts | null;
  /** Reads at most `limit` chunks after an id, in id order. Returns the live ones, and null after the last chunk. */
  readPage(after: number, limit: number): { texts: StoredText[]; last: number } | null;
}

const COLUMNS = `c.id, c.user_id, c.user_id as userId, c.memory_id as memoryId, c.position, c.text, m.title, m.tags, m.note,
  m.metadata, m.page, m.url, m.captured_at as capturedAt, m.source_type as sourceType, m.site, m.client,
  m.client_name as clientName, m.client_key as clientKey, m.starred, m.is_link as isLink, m.read_state as readState,
  m.place, m.deleted_at as deletedAt`;

export function createDocumentReader(source: Sqlite.Database): DocumentReader {
  // With a condition on `deleted_at`, SQLite reads all memories for each page to build a Bloom filter.
  const page = source.prepare<[number, number], Row>(`
    select ${COLUMNS} from chunks c cross join memories m on m.user_id = c.user_id and m.id = c.memory_id
    where c.id > ? order by c.id limit ?`);
  const changes = source.prepare<
    [number, number],
    { sequence: number; userId: string; memoryId: string; isVectors: number; removed: string | null }
  >(`
    select sequence, user_id as userId, memory_id as memoryId, is_vectors as isVectors, removed_vectors as removed
    from index_changes where sequence > ? order by sequence limit ?`);
  const oldest = source.prepare<[], number | null>('select min(sequence) from index_changes').pluck();
  const ofMemories = source.prepare<[string], Row>(`
    select ${COLUMNS} from (select value ->> 0 as user_id, value ->> 1 as id from json_each(?)) w
    cross join memories m on m.user_id = w.user_id and m.id = w.id and m.deleted_at is null
    cross join chunks c on c.user_id = m.user_id and c.memory_id = m.id`);

  // One transaction, so that the rows are as the newest change has left them.
  const readChanges = source.transaction((since: number, limit: number): ChangedTexts | null => {
    const listed = changes.all(since, limit);
    const first = oldest.get() ?? null;
    const newest = listed.at(-1)?.sequence;
    if (newest === undefined || first === null || first > since + 1) return null;
    const changed = listed.filter(({ isVectors }) => isVectors === 0);
    const memories = new Map(changed.map(({ userId, memoryId }) => [`${userId}\n${memoryId}`, [userId, memoryId]]));
    const rows = toStoredTexts(ofMemories.all(JSON.stringify([...memories.values()])));
    const present = new Set(rows.map(({ id }) => id));
    const removed = changed.flatMap(({ removed }) => (removed === null ? [] : (JSON.parse(removed) as number[])));
    return { newest, removed: removed.filter((id) => !present.has(id)), rows };
  });

  return {
    readChanges: (since, limit) => readChanges(since, limit),
    readPage(after, limit) {
      const rows = page.all(after, limit);
      const last = rows.at(-1);
      const live = rows.filter(({ deletedAt }) => deletedAt === null);
      return last === undefined ? null : { texts: toStoredTexts(live), last: last.id };
    },
  };
}

/** The chunks of a memory, which mostly follow each other, share its facts. */
function toStoredTexts(rows: readonly Row[]): StoredText[] {
  let last: { memoryId: string; userId: string; facts: StoredText['facts'] } | null = null;
  return rows.map((row) => {
    const { memoryId, userId } = row;
    if (last?.memoryId !== memoryId || last.userId !== userId)
      last = { memoryId, userId, facts: { ...factsOf(row), group: memoryId } };
    const { title, body, notes } = toTextRow(row);
    return { id: row.id, digest: digestOf(`${title}\0${body}\0${notes}`), facts: last.facts, title, body, notes };
  });
}

/** The weight of a word in the title, as the ranking of FTS5 has it. */
const TITLE_WEIGHT = 3;

/** Makes documents of texts: their words, counted as FTS5 counts them. */
export function toDocuments(texts: readonly StoredText[], { tokensOf }: Tokenizer): TextDocument[] {
  const fields = texts.flatMap(({ title, body, notes }) => [title, body, notes].map(normaliseText));
  const tokens = tokensOf(fields);
  return texts.map(({ id, digest, facts }, at) => {
    const [title = [], body = [], notes = []] = tokens.slice(3 * at, 3 * at + 3);
    const terms = new Map<string, number>();
    const count = (some: readonly string[], weight: number) => {
      for (const token of some) terms.set(token, (terms.get(token) ?? 0) + weight);
    };
    count(title, TITLE_WEIGHT);
    count(body, 1);
    count(notes, 1);
    // Each row has its user as a word.
    return { id, digest, ...facts, length: 1 + title.length + body.length + notes.length, terms };
  });
}

/** A number of 53 bits, by two hashes of 32 bits. */
function digestOf(text: string): number {
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two + unit, 0x85ebca6b) ^ (two >>> 13);
  }
  return (one >>> 0) * 2 ** 21 + (two >>> 11);
}
