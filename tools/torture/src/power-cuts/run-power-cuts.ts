import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openStorage } from '@recollect/storage';
import { createRandom, type Random } from '../random.js';
import { CUTS, createDisk } from './disk.js';
import { judge } from './judge.js';
import type { Operation } from './operation.js';
import { record, type Writer } from './record.js';

export interface PowerCutOptions {
  cuts: number;
  seed: number;
  writer?: Writer;
  /** Memories in a recording. */
  memories?: number;
}

export interface PowerCutReport {
  cuts: number;
  /** Cuts after which something acknowledged was missing, or the file was damaged. */
  failures: string[];
}

/** Cuts per recording. */
const PER_RECORDING = 100;
/** Every so many stores are opened by the service as well. */
const OPENED = 10;

/**
 * Records what a process does to the files of a store while it saves memories, and replays that up to random points.
 * There the power is cut: unsynced writes are dropped, reordered or torn. Then the store must open with everything
 * acknowledged.
 */
export async function runPowerCuts(options: PowerCutOptions): Promise<PowerCutReport> {
  const { cuts, seed, writer = 'capture-process', memories = 40 } = options;
  const random = createRandom(seed);
  const failures: string[] = [];
  for (let done = 0; done < cuts; ) {
    const work = await mkdtemp(join(tmpdir(), 'recollect-power-'));
    try {
      const operations = await record(writer, work, memories);
      const points = Array.from({ length: Math.min(PER_RECORDING, cuts - done) }, () =>
        choosePoint(operations, random),
      );
      failures.push(...(await replay(operations, points, work, random, writer)));
      done += points.length;
    } finally {
      await rm(work, { recursive: true });
    }
  }
  return { cuts, failures };
}

/** Mostly after something was acknowledged, since nothing can be lost before. */
function choosePoint(operations: readonly Operation[], random: Random): number {
  const first = operations.findIndex(({ kind }) => kind === 'acknowledge');
  const start = random.below(10) === 0 ? 0 : first;
  return start + random.below(operations.length + 1 - start);
}

async function replay(
  operations: readonly Operation[],
  points: readonly number[],
  work: string,
  random: Random,
  writer: Writer,
): Promise<string[]> {
  const failures: string[] = [];
  const disk = createDisk();
  const acknowledged: string[] = [];
  let done = 0;
  for (const [index, point] of points.toSorted((one, other) => one - other).entries()) {
    for (; done < point; done++) {
      const operation = operations[done];
      if (operation === undefined) continue;
      disk.run(operation);
      if (operation.kind === 'acknowledge') acknowledged.push(operation.what);
    }
    const cut = CUTS[random.below(CUTS.length)] ?? 'drops';
    const folder = join(work, `cut-${index}`);
    await mkdir(folder);
    // The index of the WAL is in memory that a power cut clears.
    for (const [file, content] of disk.cutPower(cut, random)) {
      if (!file.endsWith('-shm')) await writeFile(join(folder, basename(file)), content);
    }
    const file = join(folder, 'recollect.db');
    const found: string[] = [];
    if (writer === 'capture-process' && index % OPENED === 0 && acknowledged.length > 0)
      found.push(...(await open(file)));
    found.push(...judge(file, acknowledged));
    if (found.length > 0)
      failures.push(`cut at ${point} of ${operations.length} (${cut}): ${found.slice(0, 3).join('; ')}`);
    await rm(folder, { recursive: true });
  }
  return failures;
}

async function open(file: string): Promise<string[]> {
  try {
    const storage = await openStorage({ url: `sqlite:${file}` });
    await storage.close();
    return [];
  } catch (error) {
    return [`not opened: ${(error as Error).message}`];
  }
}
