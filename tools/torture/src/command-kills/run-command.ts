import { startProcess } from '../server-process.js';

/** How a command ended. The code is null if it was killed. */
export interface Ended {
  code: number | null;
  printed: string;
  log: string;
}

/**
 * Runs a command on a data folder.
 *
 * @param options.killAfter milliseconds after which it is killed with SIGKILL, unless it has ended
 */
export async function runCommand(
  folder: string,
  args: readonly string[],
  { killAfter }: { killAfter?: number } = {},
): Promise<Ended> {
  const child = startProcess(folder, args);
  const texts = { printed: '', log: '' };
  child.stdout?.on('data', (chunk) => {
    texts.printed += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.log += chunk;
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, ...texts };
}

/** Runs a command that must succeed, and returns what it printed. Throws with its log. */
export async function mustRun(folder: string, args: readonly string[]): Promise<string> {
  const { code, printed, log } = await runCommand(folder, args);
  if (code !== 0) throw new Error(`recollect ${args[0]} ended with ${code}: ${log}`);
  return printed;
}
