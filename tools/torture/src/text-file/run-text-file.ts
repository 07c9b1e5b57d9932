import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { createRandom, type Random } from '../random.js';

export interface TextFileReport {
  damages: number;
  /** Files that were used in spite of the damage: it was in the padding of the header. */
  used: number;
  /** Damages after which a search had other results, or failed. */
  failures: string[];
}

/** A close keeps the texts in a file if that saves a start 1,000 changes. */
const MEMORIES = 1_000;
const PER_CAPTURE = 100;
const WORDS = ['water', 'tea', 'cup', 'kettle', 'leaf', 'steam', 'harbour', 'winter', 'garden', 'letter'];
const QUERIES = ['water', 'tea cup', 'kettle leaf steam', 'winter -garden', 'let', 'harbour winter tea cup water'];
const SECTOR = 512;

/**
 * Damages the file that keeps the words of texts, again and again, and searches. The results must be the same as
 * without the file: it is either used as a whole or not at all.
 */
export async function runTextFile({ damages, seed }: { damages: number; seed: number }): Promise<TextFileReport> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-text-file-'));
  const file = join(folder, 'recollect.db');
  const texts = `${file}-texts`;
  const failures: string[] = [];
  let used = 0;
  try {
    await fill(file, createRandom(seed));
    const whole = await readFile(texts);
    const expected = await search(file, 0);
    for (let round = 0; round < damages; round++) {
      const { name, content } = damage(whole, createRandom(seed + round));
      await writeFile(texts, content);
      const found = await search(file, 64).catch((error: unknown) => `${error}`);
      if (found !== expected) failures.push(`damage ${round} of seed ${seed} (${name}): ${found}`);
      // A file that was rejected is written again at the close.
      if ((await readFile(texts)).equals(content)) used += 1;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return { damages, used, failures };
}

async function fill(file: string, random: Random): Promise<void> {
  const storage = await openStorage({ url: `sqlite:${file}`, readers: 1, textMemoryMb: 64 });
  const core = createCore({ ...storage, embeddingModel: null });
  for (let saved = 0; saved < MEMORIES; saved += PER_CAPTURE)
    await core.capture(
      LOCAL_USER,
      Array.from({ length: PER_CAPTURE }, (_, at) => ({
        // Without its number, a short text may be the same as another.
        pageText: `${saved + at} ${Array.from({ length: 2 + random.below(40) }, () => WORDS[random.below(WORDS.length)]).join(' ')}`,
      })),
    );
  await storage.textIndex.warmUp?.();
  await storage.close();
}

/** The results of all queries, with the texts in so many megabytes of memory. */
async function search(file: string, textMemoryMb: number): Promise<string> {
  const storage = await openStorage({ url: `sqlite:${file}`, readers: 1, textMemoryMb });
  try {
    const core = createCore({ ...storage, embeddingModel: null });
    await storage.textIndex.warmUp?.();
    const results: string[][] = [];
    for (const query of QUERIES) {
      const { answer } = await core.query(LOCAL_USER, query, { limit: 20 });
      results.push(answer.results.map(({ id }) => id));
    }
    return JSON.stringify(results);
  } finally {
    await storage.close();
  }
}

/** A copy of a file that a disk or a power cut has damaged. */
function damage(whole: Buffer, random: Random): { name: string; content: Buffer } {
  const content = Buffer.from(whole);
  const sector = () => SECTOR * random.below(Math.floor(whole.length / SECTOR));
  const kinds: (() => { name: string; content: Buffer })[] = [
    () => {
      const at = random.below(content.length);
      content[at] = (content[at] ?? 0) ^ (1 << random.below(8));
      return { name: `a flipped bit at ${at}`, content };
    },
    () => {
      const length = random.below(content.length);
      return { name: `cut off at ${length}`, content: content.subarray(0, length) };
    },
    () => {
      const at = sector();
      content.fill(0, at, at + SECTOR);
      return { name: `a sector of zeros at ${at}`, content };
    },
    () => {
      const [from, to] = [sector(), sector()];
      whole.copy(content, to, from, from + SECTOR);
      return { name: `the sector ${from} at ${to}`, content };
    },
  ];
  return (kinds[random.below(kinds.length)] as (typeof kinds)[number])();
}
