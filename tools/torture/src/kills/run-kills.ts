import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findDamage } from '../find-damage.js';
import { createRandom, type Random } from '../random.js';
import { type ServerProcess, startServer } from '../server-process.js';
import { startFakeModel } from './fake-model.js';
import { createLedger, type Ledger } from './ledger.js';

export interface KillReport {
  kills: number;
  acknowledged: number;
  failures: string[];
  /** Milliseconds until a killed server was ready again, in ascending order. */
  readyAfter: number[];
}

/** A new store begins after so many kills, so that first starts and migrations are killed too. */
const PER_STORE = 25;
/** Requests at the same time, and the longest time until the kill in milliseconds. */
const LOAD = { workers: 4, longest: 400 };
/** Memories that are compared after each kill. All are compared at the end of a store. */
const CHECKED = 20;

/**
 * Kills a server with SIGKILL while it starts, captures, edits and indexes. Nothing acknowledged may be missing after.
 */
export async function runKills({ kills, seed }: { kills: number; seed: number }): Promise<KillReport> {
  const random = createRandom(seed);
  const report: KillReport = { kills, acknowledged: 0, failures: [], readyAfter: [] };
  const model = await startFakeModel();
  try {
    for (let done = 0; done < kills; done += PER_STORE) {
      const folder = await mkdtemp(join(tmpdir(), 'recollect-kill-'));
      try {
        await killOneStore(folder, Math.min(PER_STORE, kills - done), model.env, random, report);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  } finally {
    model.close();
  }
  report.readyAfter.sort((one, other) => one - other);
  return report;
}

async function killOneStore(
  folder: string,
  kills: number,
  env: Record<string, string>,
  random: Random,
  report: KillReport,
): Promise<void> {
  const ledger = createLedger();
  for (let kill = 0; kill < kills; kill++) {
    // Every fourth kill hits a start.
    if (random.below(4) === 0) {
      const starting = startServer(folder, env, { killAfter: random.below(700) });
      await starting.then(
        (server) => server.end('SIGKILL'),
        () => {},
      );
      continue;
    }
    const server = await startServer(folder, env);
    report.readyAfter.push(server.readyAfter);
    await ledger.retry(server.address);
    report.failures.push(...(await ledger.check(server.address, CHECKED)));
    await loadUntilKilled(server, ledger, random);
  }
  const server = await startServer(folder, env);
  await ledger.retry(server.address);
  report.failures.push(...(await ledger.check(server.address)));
  await server.end('SIGTERM');
  report.failures.push(...findDamage(join(folder, 'recollect.db')));
  report.acknowledged += ledger.size();
}

async function loadUntilKilled(server: ServerProcess, ledger: Ledger, random: Random): Promise<void> {
  let isKilled = false;
  const work = async () => {
    while (!isKilled) {
      const change = random.below(3) === 0 ? ledger.edit(server.address, random.below) : ledger.capture(server.address);
      await change.catch((error) => {
        // A connection that ended is what a kill looks like.
        if (!isKilled) throw error;
      });
    }
  };
  const workers = Array.from({ length: LOAD.workers }, work);
  const working = Promise.all(workers);
  await Promise.race([sleep(random.below(LOAD.longest)), working]);
  isKilled = true;
  await server.end('SIGKILL');
  await working;
}
