import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type Outcome, runInProcess } from './run-in-process.js';

const main = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

/** Commands that own their process until it ends. */
const SERVING: readonly string[] = ['serve', 'mcp'];

interface Given {
  input?: string;
  env?: Record<string, string>;
  /** Whether a command that would serve cannot, so that it ends at once. */
  isRejected?: boolean;
}

/** The command line with its own data folder. */
export async function createCli(environment: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-cli-'));
  const base = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    RECOLLECT_DATA_DIR: join(folder, 'data'),
    RECOLLECT_PORT: '0',
    // A server on a busy machine may be slow.
    RECOLLECT_SERVER_WAIT: '60000',
  };

  const children: ChildProcess[] = [];
  const startWith = (command: string, args: readonly string[], more: Record<string, string> = {}): ChildProcess => {
    const child = spawn(command, [...args], { cwd: folder, env: { ...base, ...environment, ...more } });
    children.push(child);
    return child;
  };
  const start = (args: readonly string[], more: Record<string, string> = {}) =>
    startWith(process.execPath, [main, ...args], more);

  const runProcess = (args: readonly string[], { input = '', env = {} }: Given = {}): Promise<Outcome> =>
    outcomeOf(start(args, env), input);
  const run = (args: readonly string[], { input = '', env = {}, isRejected = false }: Given = {}): Promise<Outcome> =>
    (SERVING.includes(args[0] ?? '') && !isRejected) ||
    (env.TZ ?? environment.TZ) !== undefined ||
    // After a look-up in the process of the tests, the folder of the account would be their folder.
    (env.RECOLLECT_DATA_DIR ?? environment.RECOLLECT_DATA_DIR) === ''
      ? runProcess(args, { input, env })
      : runInProcess(args, { cwd: folder, env: { ...base, ...environment, ...env }, input });
  const outcomeOf = async (child: ChildProcess, input = ''): Promise<Outcome> => {
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('The output is not a pipe.');
    child.stdin?.end(input);
    const [out, err] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
    return { code: child.exitCode, out, err };
  };
  /** Runs a command that must succeed, and returns its JSON. */
  const json = async (args: readonly string[], input?: string) => {
    const { code, out, err } = await run([...args, '--json'], input === undefined ? {} : { input });
    expect([args, code, err], out).toEqual([args, 0, '']);
    return JSON.parse(out);
  };

  return {
    folder,
    /** The variables of each command. */
    environment: { ...base, ...environment },
    start,
    /** Starts another program in the same environment. */
    startWith,
    /** Runs a command in the process of the tests, unless it serves or has another time zone. */
    run,
    /** Runs a command in a separate process, for tests of exit codes, signals and pipes. */
    runProcess,
    /** Runs another program in the same environment, which may run the command line: `main` is its module. */
    runWith: (command: string, args: readonly string[], env: Record<string, string> = {}) =>
      outcomeOf(startWith(command, args, env)),
    main,
    json,
    /** Saves a text, and returns its id. */
    save: async (body: string, ...options: readonly string[]): Promise<string> =>
      (await json(['capture', '-', ...options], body)).captures[0].id,
    /** Searches until the model has answered in time, for which it has two seconds. Returns the answer. */
    async search(...args: readonly string[]) {
      for (;;) {
        const { out } = await run(['search', ...args, '--json']);
        const answer = JSON.parse(out);
        if (!answer.warnings?.some((warning: string) => /model did not respond/.test(warning))) return answer;
      }
    },
    /** Starts a server, through a wrapper program if one is given. Reads its address from its output. */
    async serve(env: Record<string, string> = {}, [wrapper, ...options]: readonly string[] = []) {
      const child =
        wrapper === undefined
          ? start(['serve'], env)
          : startWith(wrapper, [...options, process.execPath, main, 'serve'], env);
      const exited = once(child, 'exit');
      let printed = '';
      let errors = '';
      child.stderr?.on('data', (chunk) => {
        errors += chunk;
      });
      const address = await new Promise<string>((resolve, reject) => {
        child.stdout?.on('data', (chunk) => {
          printed += chunk;
          const found = /^Open (http:\S+) in your browser/.exec(printed)?.[1];
          if (found !== undefined) resolve(found);
        });
        child.on('exit', (code) => reject(new Error(`The server exited with ${code}. ${errors}`)));
      });
      return {
        address,
        pid: child.pid ?? 0,
        printed: () => printed,
        errors: () => errors,
        async stop(signal: NodeJS.Signals = 'SIGTERM') {
          child.kill(signal);
          const [code] = await exited;
          return code as number | null;
        },
      };
    },
    /** Removes the folder, after killing the processes that a failed test may have left behind. */
    async remove() {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Cli = Awaited<ReturnType<typeof createCli>>;
