import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { isNewer } from './installation.js';

const FILE = 'update-check.json';
const WEEK = 7 * 24 * 60 * 60_000;
/** Milliseconds between two looks at the time of the last check. */
const PACE = 60 * 60_000;

/** The result of a check, in `update-check.json`. */
interface Check {
  /** In ISO 8601. */
  checkedAt: string;
  newest: string;
}

/** The version that the last check found, if it is newer than this one; null without a check. */
export async function readNewerVersion(dataFolder: string, release: string): Promise<string | null> {
  const check = await readCheck(dataFolder);
  return check !== null && isNewer(check.newest, release) ? check.newest : null;
}

/**
 * Asks once a week for the newest version, and reports one that is newer. The time of the last check is kept, so that
 * restarts ask no earlier. A failure is tried again after an hour.
 *
 * @param findNewest asks the registry
 * @returns what ends the checks
 */
export function checkWeekly(
  dataFolder: string,
  {
    release,
    findNewest,
    report,
    now = Date.now,
  }: {
    release: string;
    findNewest: () => Promise<string>;
    report: (sentence: string) => void;
    /** In milliseconds. */
    now?: () => number;
  },
): { end(): void; look(): Promise<void> } {
  // A look that begins while another one runs would ask twice.
  const inTurn = pLimit(1);
  const lookNow = async () => {
    const last = await readCheck(dataFolder);
    const age = last === null ? WEEK : now() - Date.parse(last.checkedAt);
    // A clock that was set back makes the last check lie in the future.
    if (age >= 0 && age < WEEK) return;
    const newest = await findNewest().catch(() => null);
    if (newest === null) return;
    const check: Check = { checkedAt: new Date(now()).toISOString(), newest };
    await writeFile(join(dataFolder, FILE), `${JSON.stringify(check)}\n`, { mode: 0o600 });
    if (isNewer(newest, release)) report(`Recollect ${newest} can be installed: recollect update. This is ${release}.`);
  };
  const look = () => inTurn(lookNow);
  const tryToLook = () => void look().catch(() => {});
  const timer = setInterval(tryToLook, PACE).unref();
  tryToLook();
  return { end: () => clearInterval(timer), look };
}

async function readCheck(dataFolder: string): Promise<Check | null> {
  try {
    const check: Partial<Check> = JSON.parse(await readFile(join(dataFolder, FILE), 'utf8'));
    const { checkedAt = '', newest } = check;
    return Number.isNaN(Date.parse(checkedAt)) || typeof newest !== 'string' ? null : { checkedAt, newest };
  } catch {
    return null;
  }
}
