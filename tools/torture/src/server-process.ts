import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./dist/bundle/main.js', import.meta.resolve('@recollect/cli/package.json')));

/** The service in its own process. */
export interface ServerProcess {
  address: string;
  /** Milliseconds from the start of the process until it took requests. */
  readyAfter: number;
  /** What it has logged. */
  log(): string;
  /** Ends the process and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a server, or another command, on a data folder. */
export function startProcess(folder: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      RECOLLECT_DATA_DIR: folder,
      RECOLLECT_PORT: '0',
      RECOLLECT_EMBEDDINGS: 'off',
      RECOLLECT_RATE_LIMIT: 'off',
      ...env,
    },
  });
}

/**
 * Starts a server and waits until it takes requests. Throws with its log if it ends before.
 *
 * @param options.killAfter milliseconds after which the process is killed, whether it is ready or not
 */
export async function startServer(
  folder: string,
  env: Record<string, string> = {},
  { killAfter }: { killAfter?: number } = {},
): Promise<ServerProcess> {
  const began = performance.now();
  const child = startProcess(folder, ['serve'], env);
  let log = '';
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const exited = once(child, 'exit');
  if (killAfter !== undefined) {
    const timer = setTimeout(() => child.kill('SIGKILL'), killAfter);
    exited.finally(() => clearTimeout(timer));
  }
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      const found = /^Open (http:\S+) in your browser/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    exited.then(([code]) => reject(new Error(`The server ended with ${code}: ${log}`)));
  });
  return {
    address,
    readyAfter: performance.now() - began,
    log: () => log,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
