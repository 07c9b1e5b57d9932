import { spawn } from 'node:child_process';
import stringWidth from 'string-width';
import { type Pager, readPager } from '../config.js';
import { print } from './output.js';

/** Prints a text, on a terminal through the user's pager if it is longer than the screen. */
export async function printLong(text: string): Promise<void> {
  const pager = process.stdout.isTTY && !fits(text) ? readPager() : null;
  if (pager === null || !(await page(pager, text))) print(text);
}

function fits(text: string): boolean {
  const { columns, rows } = process.stdout;
  // The prompt needs a row as well.
  let used = 1;
  for (const line of text.split('\n')) {
    used += Math.max(1, Math.ceil(stringWidth(line) / columns));
    if (used > rows) return false;
  }
  return true;
}

/** Shows a text in a pager until the user leaves it. False if the pager cannot be started: nothing was shown then. */
async function page({ command, isChosen, environment }: Pager, text: string): Promise<boolean> {
  const pager = spawn(command, { shell: isChosen, stdio: ['pipe', 'inherit', 'inherit'], env: environment });
  // Who leaves the pager does not read the rest.
  pager.stdin?.on('error', () => {});
  pager.stdin?.end(`${text}\n`);
  // Ctrl+C is for the pager, which stops a search with it.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const code = await new Promise<number | null>((resolve) => {
    pager.once('error', () => resolve(CANNOT_BE_FOUND));
    pager.once('exit', resolve);
  });
  process.off('SIGINT', ignore);
  return code !== CANNOT_BE_FOUND && code !== CANNOT_BE_STARTED;
}

/** What shells answer. */
const CANNOT_BE_STARTED = 126;
const CANNOT_BE_FOUND = 127;
