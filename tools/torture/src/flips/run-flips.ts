import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeStore } from './make-store.js';
import { OUTCOMES, type Outcome } from './outcome.js';

export interface FlipReport {
  flips: number;
  outcomes: Record<Outcome, number>;
  /** Flips after which the process crashed or did not come back. */
  failures: string[];
}

const program = fileURLToPath(new URL('./flip-process.js', import.meta.url));
/** Milliseconds that a process may need for one flip. */
const PATIENCE = 60_000;
const MEMORIES = 20;

/** Flips random bits in copies of a store and uses each. No flip may crash or hang the process. */
export async function runFlips({ flips, seed }: { flips: number; seed: number }): Promise<FlipReport> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-flip-'));
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  const failures: string[] = [];
  try {
    const file = join(folder, 'recollect.db');
    await writeFile(`${file}.json`, JSON.stringify(await makeStore(file, MEMORIES)));
    for (let done = 0; done < flips; ) {
      const { completed, failure } = await runProcess([file, seed, done, flips].map(String), (outcome) => {
        outcomes[outcome] += 1;
      });
      done += completed;
      if (failure === null) continue;
      failures.push(`flip ${done} of seed ${seed}: ${failure}`);
      done += 1;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return { flips, outcomes, failures };
}

/** Runs flips until they are done or one ends the process. */
async function runProcess(
  args: readonly string[],
  count: (outcome: Outcome) => void,
): Promise<{ completed: number; failure: string | null }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  let completed = 0;
  let isLate = false;
  const expire = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(expire, PATIENCE);
  createInterface(child.stdout).on('line', (line) => {
    clearTimeout(timer);
    timer = setTimeout(expire, PATIENCE);
    completed += 1;
    count(line.split(' ')[1] as Outcome);
  });
  const ending = await new Promise<string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code === 0 ? null : `ended with ${code ?? signal}`)),
  );
  clearTimeout(timer);
  return { completed, failure: isLate ? `did not end in ${PATIENCE / 1_000} seconds` : ending };
}
