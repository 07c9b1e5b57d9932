import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../random.js';
import { makeMaterial, scenarios } from './scenarios.js';

/**
 * Kills backup, restore, import and migration in turn with SIGKILL at random times. Nothing may be lost or half done.
 */
export async function runCommandKills({ kills, seed }: { kills: number; seed: number }) {
  const random = createRandom(seed);
  const failures: string[] = [];
  const root = await mkdtemp(join(tmpdir(), 'recollect-kill-'));
  try {
    const material = await makeMaterial(root);
    const inTurn = Object.entries(scenarios);
    for (let kill = 0; kill < kills; kill++) {
      const [name, scenario] = inTurn[kill % inTurn.length] ?? [];
      const folder = await mkdtemp(join(root, 'round-'));
      const found = (await scenario?.(folder, material, random).catch((error) => [String(error)])) ?? [];
      failures.push(...found.map((failure) => `${name}, kill ${kill}: ${failure}`));
      await rm(folder, { recursive: true });
    }
  } finally {
    await rm(root, { recursive: true });
  }
  return { kills, failures };
}
