import { copyFile, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore, LOCAL_USER, RecollectError } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage, type Storage, StoreRefusedError } from '@recollect/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Bits to flip: more in the long suite, and any number as `FLIPS=1000`. */
const FLIPS = Number(process.env.FLIPS ?? (process.env.LONG === '1' ? 200 : 12));
const SEED = Number(process.env.SEED ?? 18);

let folder: string;
let whole: string;
const expected = new Map<string, string>();

/** A reader's view of one memory, without fields that may change between two reads. */
const seen = ({
  warning: _,
  embedding: __,
  otherCaptures: ___,
  ...memory
}: Awaited<ReturnType<Core['memories']['get']>>) => JSON.stringify(memory);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  whole = join(folder, 'whole.db');
  const storage = await openStorage({ url: `sqlite:${whole}`, readers: 0 });
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  for (let at = 0; at < 40; at++) {
    const text = Array.from({ length: 20 * (at % 8) + 1 }, (_, line) => `Line ${line} of memory ${at} is about tea.`);
    const capture = {
      pageText: text.join('\n'),
      url: `https://a.example/${at}`,
      tags: ['tea', `t${at}`],
      note: `n${at}`,
    };
    const { answer } = await core.capture(LOCAL_USER, [{ ...capture, metadata: { number: at } }]);
    const id = answer.captures[0]?.id ?? '';
    expected.set(id, seen(await core.memories.get(LOCAL_USER, id)));
  }
  await storage.close();
});
afterAll(() => rm(folder, { recursive: true }));

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function flip(path: string, offset: number, bit: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, offset);
  await file.write(Buffer.of((byte[0] ?? 0) ^ (1 << bit)), 0, 1, offset);
  await file.close();
}

/** How each memory is returned, and how every other verb answers. */
async function look(storage: Storage): Promise<{ outcomes: Set<string>; codes: Set<string>; errors: string[] }> {
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  const outcomes = new Set<string>();
  const codes = new Set<string>();
  const errors: string[] = [];
  const fail = (error: unknown) => {
    if (error instanceof RecollectError) codes.add(error.code);
    else errors.push(String(error));
  };
  for (const [id, text] of expected) {
    await core.memories
      .get(LOCAL_USER, id)
      .then(
        (memory) => outcomes.add(memory.warning !== null ? 'warned' : seen(memory) === text ? 'right' : 'wrong'),
        fail,
      );
  }
  const verbs: (() => Promise<unknown>)[] = [
    () => core.memories.list(LOCAL_USER),
    () => core.memories.counts(LOCAL_USER),
    () => core.query(LOCAL_USER, 'about tea'),
    () => core.query(LOCAL_USER, 'tag:t3'),
    () => core.status(LOCAL_USER),
    () => core.capture(LOCAL_USER, [{ pageText: 'a new memory', url: 'https://a.example/3', tags: ['tea'] }]),
    () => core.memories.update(LOCAL_USER, [...expected.keys()][5] ?? '', { title: 'edited' }),
  ];
  for (const verb of verbs) await verb().catch(fail);
  return { outcomes, codes, errors };
}

test('REL-6: a flipped bit is noticed, or changes nothing that is read', {
  timeout: Math.max(240_000, FLIPS * 2_000),
}, async () => {
  const random = createRandom(SEED);
  const { length } = await readFile(whole);
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  const path = join(folder, 'recollect.db');
  for (let at = 0; at < FLIPS; at++) {
    const offset = Math.floor(random() * length);
    const bit = Math.floor(random() * 8);
    for (const ending of ['', '-wal', '-shm', '-damaged']) await rm(path + ending, { force: true });
    await copyFile(whole, path);
    await flip(path, offset, bit);
    const storage = await openStorage({ url: `sqlite:${path}`, readers: 0 }).catch((error: unknown) => error as Error);
    if (storage instanceof Error) {
      const isNamed =
        storage instanceof StoreRefusedError || (storage instanceof RecollectError && storage.code === 'STORE_DAMAGED');
      if (!isNamed) problems.push(`${offset}.${bit}: not opened: ${storage}`);
      counts.refused = (counts.refused ?? 0) + 1;
      continue;
    }
    const { outcomes, codes, errors } = await look(storage);
    const isReadOnly = storage.inspector.problem() !== null;
    await storage.close();
    const kind = isReadOnly
      ? 'read-only'
      : outcomes.has('warned')
        ? 'warned'
        : codes.has('NOT_FOUND')
          ? 'missing'
          : 'unnoticed';
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (outcomes.has('wrong')) problems.push(`${offset}.${bit}: a memory is silently wrong`);
    for (const error of errors) problems.push(`${offset}.${bit}: ${error}`);
    for (const code of codes)
      if (!['STORE_DAMAGED', 'NOT_FOUND'].includes(code)) problems.push(`${offset}.${bit}: ${code}`);
  }
  if (process.env.FLIPS !== undefined) process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(problems).toEqual([]);
});
