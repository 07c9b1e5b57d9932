import { type Kysely, sql } from 'kysely';
import type { ConnectOptions } from '../connect-options.js';
import type { Connected, Database, Searches, StorageDialect } from '../dialect.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import type { OpenConnections, OpenDatabase } from './connections.js';
import { createHybridIndex } from './hybrid-index.js';
import { migrations } from './migrations/index.js';
import { createModelIndexes, type ModelIndexes } from './model-indexes.js';
import { createMoving } from './moving.js';
import { openServer } from './open-server.js';
import { createPlannerStatistics } from './planner-statistics.js';
import { compareChanges, preferReplica } from './prefer-replica.js';
import { createRunWrite } from './run-write.js';
import { postgresSql } from './sql-dialect.js';
import { refuseMarkedDatabase } from './store-mark.js';
import { createTextIndex } from './text-index.js';
import { textIndexTable } from './text-index-table.js';
import { createVectorIndex, vectorIndexTable } from './vector-index.js';

/**
 * PostgreSQL with pgvector: `postgres://user:password@host/database`.
 *
 * @param open opens the connections; to a server by default
 */
export function createPostgresDialect(open: OpenConnections = openServer): StorageDialect {
  return {
    async connect(url, options) {
      const database = await open(url, options);
      try {
        await refuseMarkedDatabase(database.reader);
        const mayOpen = (await hasTable(database.reader, 'memories')) || ((await options.mayCreate?.()) ?? true);
        if (!mayOpen) throw new StoreRefusedError('missing');
      } catch (error) {
        await database.close().catch(() => {});
        throw error;
      }
      return connectedTo(database, options);
    },
    migrations,
    hasTable,
    sql: postgresSql,
    textIndexTable,
    vectorIndexTable,
    moving: createMoving(open),
  };
}

async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`.execute(db);
  return rows.length > 0;
}

function connectedTo(
  { reader, writer, replica, location, listen, close }: OpenDatabase,
  { onNotice }: ConnectOptions,
): Connected {
  const statistics = createPlannerStatistics(writer);
  return {
    reader,
    writer,
    lookup: reader,
    hasRowSecurity: true,
    transaction: statistics.following(createRunWrite(writer)),
    ...(listen && { follow: listen }),
    async facts() {
      const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
        reader,
      );
      return { location, bytes: rows[0]?.bytes ?? 0, freeBytes: null, lacksReserve: false };
    },
    // Each request finds out by itself whether the server is there.
    problem: () => null,
    createSearches(database) {
      const modelIndexes = createModelIndexes(writer, onNotice ?? (() => {}));
      const searches = searchesOn(database, modelIndexes);
      if (replica === undefined) return searches;
      const onReplica = searchesOn({ ...database, reader: replica }, modelIndexes);
      return preferReplica(searches, onReplica, compareChanges(reader, replica));
    },
    async close() {
      await statistics.close();
      await close();
    },
  };
}

/** The searching sides of the indexes, over the connections of a primary or a replica. */
function searchesOn(database: Database, modelIndexes: ModelIndexes): Searches {
  const texts = createTextIndex(database);
  const vectors = createVectorIndex(database, modelIndexes);
  return {
    textIndex: texts.textIndex,
    vectorIndex: vectors.vectorIndex,
    hybridIndex: createHybridIndex(database, texts.searching, vectors.searching),
  };
}
