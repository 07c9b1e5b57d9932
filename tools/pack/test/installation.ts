import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** An account without this repository: its home, npm's cache and the programs that it has installed. */
export function createAccount(folder: string) {
  const home = join(folder, 'home');
  const prefix = join(folder, 'prefix');
  for (const path of [home, prefix]) mkdirSync(path, { recursive: true });
  const programs = join(prefix, process.platform === 'win32' ? '' : 'bin');
  const environment: Record<string, string> = {
    HOME: home,
    USERPROFILE: home,
    PATH: [programs, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    RECOLLECT_PORT: '0',
    // A machine that runs other tests is slow.
    RECOLLECT_SERVER_WAIT: '60000',
  };
  const children: ChildProcess[] = [];
  const start = (command: string, args: readonly string[], env: Record<string, string> = {}) => {
    const child = spawn(command, [...args], { cwd: home, env: { ...environment, ...env } });
    children.push(child);
    return child;
  };

  const run = async (
    command: string,
    args: readonly string[],
    given: { input?: string; env?: Record<string, string> } = {},
  ) => {
    const child = start(command, args, given.env);
    child.stdin.end(given.input ?? '');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: child.exitCode, out, err } satisfies Outcome;
  };

  /** Starts a server, and reads its address from its output. */
  const serve = async (command: string, args: readonly string[]) => {
    const child = start(command, args);
    const exited = once(child, 'exit');
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    let printed = '';
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        printed += chunk;
        const found = /^Open (http:\S+) in your browser/.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.on('exit', (code) => reject(new Error(`The server exited with ${code}. ${errors}`)));
    });
    const stop = async () => {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    };
    return { address, stop };
  };

  return {
    home,
    prefix,
    run,
    serve,
    start,
    /** The folder of the installed package. */
    installed: join(prefix, process.platform === 'win32' ? '' : 'lib', 'node_modules', 'recollect'),
    recollect: (args: readonly string[], given: { input?: string; env?: Record<string, string> } = {}) =>
      run('recollect', args, given),
    /** Runs a command that must succeed, and returns its JSON. */
    async json(args: readonly string[], input = '') {
      const { code, out, err } = await run('recollect', [...args, '--json'], { input });
      if (code !== 0) throw new Error(`recollect ${args.join(' ')} exited with ${code}: ${err}`);
      return JSON.parse(out);
    },
    remove() {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Account = ReturnType<typeof createAccount>;

/** The files below a folder, with the bytes that they take on a disk. */
export function filesBelow(folder: string): Map<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      // Disks allocate blocks of 4 KiB.
      return [path.slice(folder.length + 1), Math.ceil(statSync(path).size / 4096) * 4096];
    }),
  );
}
