import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figure.js';
import { embedCentres } from './measure-search.js';
import { startPostgres } from './postgres-server.js';
import { createQuestions, createRows, type Question, type Row } from './search/dataset.js';
import { GIVEN_MODEL, type OpenRecollect, openRecollect, urlIn } from './search/recollect-engine.js';
import { quantile, time } from './statistics.js';

const [QUESTIONS, WARM_UP] = [100, 20];
/** Memories of a capture, as a program that imports sends them. */
const PER_CAPTURE = 100;
/** Captures with embeddings after the index of the vectors was made. */
const LATE_CAPTURES = 20;
/** Passage vectors of a chunk: the most that are kept. */
const TOKENS = 42;
/** Users who share the memories, and clients that ask. */
const [USERS, CLIENTS, PER_CLIENT] = [50, 16, 25];

const PROGRAMS = 'RECOLLECT_TEST_POSTGRES_BIN';

/**
 * Compares a store in PostgreSQL with one in SQLite, with the same memories and in turns. The variable
 * `RECOLLECT_TEST_POSTGRES_BIN` names the folder of PostgreSQL's programs, as for the long tests.
 */
export async function measurePostgres(count: number): Promise<Figure[]> {
  const programs = process.env[PROGRAMS];
  if (programs === undefined) throw new Error(`Set ${PROGRAMS} to the folder of the programs of PostgreSQL.`);
  const server = await startPostgres(programs);
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const opened: OpenRecollect[] = [];
  const open = async (url: string) => {
    const store = await openRecollect(url, TOKENS);
    opened.push(store);
    return store;
  };
  try {
    const centres = await embedCentres();
    const stores = [await open(urlIn(folder)), await open(server.createDatabase('one_user'))] as const;
    const filled = await fill(stores, createRows(count, centres));
    const asked = await askInTurns(stores, createQuestions(QUESTIONS + WARM_UP, centres));
    const late = await fill(stores, createRows(count + PER_CAPTURE * LATE_CAPTURES, centres), count);
    const crowd = await measureUsers(
      [await open(server.createDatabase('many')), await open(server.createDatabase('one'))],
      centres,
      count / USERS,
    );
    const size = `at ${count.toLocaleString('en')}`;
    report(asked, filled, late);
    const [sqlite, postgres] = asked.map((times) => quantile(times, 0.5)) as [number, number];
    return [
      {
        name: `query of core in PostgreSQL ${size}, relative to SQLite`,
        value: postgres / sqlite,
        unit: 'times',
        limit: 2,
      },
      { name: 'captures in PostgreSQL without embeddings', value: filled[1].captures, unit: 'a second', limit: 2_500 },
      { name: `captures in PostgreSQL with embeddings ${size}`, value: late[1].both, unit: 'a second', limit: 600 },
      {
        name: `time of 400 queries by 16 clients ${size}, 50 users relative to one`,
        value: crowd,
        unit: 'times',
        limit: 1.25,
      },
    ];
  } finally {
    for (const { engine } of opened) await engine.close();
    server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Memories a second: captures, and captures with their embeddings. */
interface Rates {
  captures: number;
  both: number;
}

/** Fills stores in turns, from a row on, and prepares them for searches. */
async function fill(
  stores: readonly [OpenRecollect, OpenRecollect],
  rows: Iterable<Row>,
  after = 0,
): Promise<[Rates, Rates]> {
  const times = stores.map(() => ({ captures: 0, both: 0 }));
  let count = 0;
  for (const some of blocksOf(rows, after)) {
    count += some.length;
    for (const [at, store] of stores.entries()) {
      const captured = await time(() => store.capture(some));
      const embedded = await time(() => store.embed(some));
      const sum = times[at] as Rates;
      sum.captures += captured;
      sum.both += captured + embedded;
    }
  }
  for (const { storage } of stores) {
    // A server does it while it is idle.
    while (await storage.textIndex.merge());
    await storage.vectorIndex.warmUp?.(GIVEN_MODEL);
  }
  return times.map(({ captures, both }) => ({
    captures: (count * 1_000) / captures,
    both: (count * 1_000) / both,
  })) as [Rates, Rates];
}

function* blocksOf(rows: Iterable<Row>, after: number): Generator<Row[]> {
  let some: Row[] = [];
  for (const row of rows) {
    if (row.id <= after) continue;
    some.push(row);
    if (some.length < PER_CAPTURE) continue;
    yield some;
    some = [];
  }
}

async function askInTurns(stores: readonly OpenRecollect[], questions: readonly Question[]): Promise<number[][]> {
  const times = stores.map((): number[] => []);
  for (const [at, question] of questions.entries())
    for (const [store, { ask }] of stores.entries()) {
      const took = await time(() => ask(question));
      if (at >= WARM_UP) times[store]?.push(took);
    }
  return times;
}

/**
 * Time that queries of sixteen clients take in a store of fifty users, relative to a store of one user who has as many
 * memories as each of those.
 */
async function measureUsers(
  [many, one]: readonly [OpenRecollect, OpenRecollect],
  centres: readonly Float32Array[],
  perUser: number,
): Promise<number> {
  const users = Array.from({ length: USERS }, (_, at) => `user-${at}`);
  for (const some of blocksOf(createRows(perUser, centres), 0)) {
    for (const user of users) {
      await many.capture(some, user);
      await many.embed(some, user);
    }
    await one.capture(some);
    await one.embed(some);
  }
  await many.storage.vectorIndex.warmUp?.(GIVEN_MODEL);
  const questions = createQuestions(CLIENTS * PER_CLIENT, centres);
  const run = (ask: (question: Question, at: number) => Promise<unknown>) =>
    time(async () => {
      let next = 0;
      const client = async () => {
        for (let at = next++; at < questions.length; at = next++) await ask(questions[at] as Question, at);
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
    });
  const ofOne = () => run((question) => one.ask(question));
  const ofMany = () => run((question, at) => many.ask(question, users[at % USERS]));
  const ratios: number[] = [];
  for (let round = 0; round < 4; round++) {
    const [single, crowd] = [await ofOne(), await ofMany()];
    // Words are counted for the first time in the first round.
    if (round > 0) ratios.push(crowd / single);
  }
  return quantile(ratios, 0.5);
}

function report(asked: readonly number[][], filled: readonly Rates[], late: readonly Rates[]): void {
  console.table(
    ['SQLite', 'PostgreSQL'].map((store, at) => ({
      store,
      'query p50 in ms': quantile(asked[at] ?? [], 0.5).toFixed(1),
      p95: quantile(asked[at] ?? [], 0.95).toFixed(1),
      'captures a second': filled[at]?.captures.toFixed(0),
      'with embeddings': filled[at]?.both.toFixed(0),
      'with embeddings at last': late[at]?.both.toFixed(0),
    })),
  );
}
