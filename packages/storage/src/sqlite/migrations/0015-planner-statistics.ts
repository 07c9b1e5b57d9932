import { type Kysely, sql } from 'kysely';
import { addStatistics, type Statistics } from '../planner-statistics.js';

/** Of one user with 100,000 memories of five chunks. */
const STATISTICS: Statistics = {
  memories: {
    memories: '100000 100000 1',
    memories_by_content: '100000 100000 1',
    memories_by_time: '100000 100000 2 1',
    memories_by_facts: '100000 100000 20000 20 20 20 20 1 1',
    memories_by_url: '100000 100000 2 2 2',
    memories_in_trash: '1000 10',
    memories_by_deletion: '1000 1000 2 1',
  },
  chunks: { sqlite_autoindex_chunks_1: '500000 500000 5 1' },
  embeddings: { embeddings: '500000 500000 500000 1', embeddings_by_chunk: '500000 1' },
  embedded_memories: {
    embedded_memories: '100000 100000 100000 1',
    embedded_memories_by_memory: '100000 100000 1',
  },
  memory_tags: { memory_tags: '200000 200000 100 1', memory_tags_by_memory: '200000 200000 2' },
  memory_history: {
    memory_history_by_memory: '20000 20000 3 1',
    memory_history_by_change: '20000 20000 3 1',
    memory_history_with_values: '5000 1',
  },
  highlights: {
    highlights: '10000 10000 1',
    highlights_by_memory: '10000 10000 3',
    highlights_by_time: '10000 10000 2 1',
  },
};

/**
 * Gives the planner the same statistics in every store. Without any, it takes a user for one of thousands, and reads
 * all memories to find one. With those from when a store was small, it does so as well, and a server that fills a store
 * may run for months.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Makes the table of statistics.
  await sql`analyze models`.execute(db);
  await sql`delete from sqlite_stat1`.execute(db);
  await addStatistics(db, STATISTICS);
}
