import { execFile, spawn } from 'node:child_process';

/** What a program of the system answered. */
export interface Ran {
  /** Null if the program is missing or was ended by a signal. */
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a program of the system to its end. Does not throw. */
export function run(program: string, words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, words, { windowsHide: true, maxBuffer: 16_000_000 }, (error, output, errors) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, output, errors });
    });
  });
}

/** Runs a program that writes to this terminal. Returns its exit code; null if it is missing. */
export function show(program: string, words: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'inherit', windowsHide: true });
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code));
  });
}
