import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../apps/cli/dist/bundle/main.js', import.meta.url));

/** Milliseconds in which a server must start and stop. */
const LIMIT = 60_000;

export interface ServerProcess {
  /** Null before the first start. */
  address(): string | null;
  /** Whether it accepts requests, as far as this process knows. */
  isUp(): boolean;
  start(): Promise<void>;
  /** Returns the exit code; null after SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * The server as it ships, with its own data folder. It keeps its port when it is started again. Its log is in
 * `server.log`.
 */
export function createServerProcess(folder: string): ServerProcess {
  let child: ChildProcess | null = null;
  let address: string | null = null;
  let isUp = false;
  const log = createWriteStream(join(folder, 'server.log'));

  return {
    address: () => address,
    isUp: () => isUp,

    async start() {
      const port = address === null ? '0' : new URL(address).port;
      const started = spawn(process.execPath, [cli, 'serve'], {
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          RECOLLECT_DATA_DIR: join(folder, 'data'),
          RECOLLECT_PORT: port,
          RECOLLECT_RATE_LIMIT: 'off',
          RECOLLECT_METRICS: 'on',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      started.stderr.pipe(log, { end: false });
      started.once('exit', () => {
        isUp = false;
      });
      address = await new Promise<string>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('The server did not start within a minute.')), LIMIT);
        let printed = '';
        started.stdout.on('data', (chunk) => {
          printed += chunk;
          const found = /^Open (http:\S+) in your browser/m.exec(printed)?.[1];
          if (found === undefined) return;
          clearTimeout(late);
          resolve(found);
        });
        started.once('exit', (code) => {
          clearTimeout(late);
          reject(new Error(`The server exited with ${code}. Its log is ${join(folder, 'server.log')}.`));
        });
      });
      isUp = true;
    },

    async stop(signal) {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return null;
      isUp = false;
      const exited = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT) });
      child.kill(signal);
      try {
        const [code] = await exited;
        return code as number | null;
      } catch (cause) {
        child.kill('SIGKILL');
        throw new Error(`The server did not stop within a minute after ${signal}.`, { cause });
      }
    },
  };
}
