import { Console } from 'node:console';
import { Readable } from 'node:stream';
import { runCommandLine } from '../src/run-command-line.js';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

export interface Circumstances {
  /** The working folder. */
  cwd: string;
  /** All environment variables. */
  env: Readonly<Record<string, string>>;
  /** Standard input. */
  input: string;
}

/** Commands listen to these until their process ends. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process as the executable does, in a tenth of the time. A process has one
 * environment and one output, so that one runs after the other.
 */
export function runInProcess(args: readonly string[], circumstances: Circumstances): Promise<Outcome> {
  const outcome = last.then(() => run(args, circumstances));
  last = outcome.catch(() => {});
  return outcome;
}

async function run(args: readonly string[], { cwd, env, input }: Circumstances): Promise<Outcome> {
  const before = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode, console };
  const listeners = SIGNALS.map((signal) => ({ signal, kept: process.listeners(signal) }));
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const out = collect(process.stdout);
  const err = collect(process.stderr);
  process.chdir(cwd);
  setEnvironment(env);
  process.exitCode = undefined;
  // The test runner's would write elsewhere.
  globalThis.console = new Console(process.stdout, process.stderr);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  try {
    await runCommandLine(args);
    return { code: Number(process.exitCode ?? 0), out: out.text(), err: err.text() };
  } finally {
    out.end();
    err.end();
    globalThis.console = before.console;
    for (const { signal, kept } of listeners)
      for (const listener of process.listeners(signal)) if (!kept.includes(listener)) process.off(signal, listener);
    Object.defineProperty(process, 'stdin', stdin);
    process.exitCode = before.exitCode;
    setEnvironment(before.env);
    process.chdir(before.cwd);
  }
}

/** Keeps what is written to a stream, instead of writing it. */
function collect(stream: NodeJS.WriteStream) {
  const write = stream.write;
  const parts: Buffer[] = [];
  stream.write = ((part: string | Uint8Array, ...rest: unknown[]) => {
    parts.push(Buffer.from(part as string));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  }) as typeof stream.write;
  return {
    text: () => Buffer.concat(parts).toString(),
    end() {
      stream.write = write;
    },
  };
}

/** Sets these environment variables, and no others but the time zone (see vitest.setup.ts). */
function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  const wanted = { ...variables, TZ: process.env.TZ };
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
  Object.assign(process.env, wanted);
}
