// @ts-check
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program to its end; its output goes to standard error.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, isQuiet?: boolean }} options
 * @returns {Promise<number>} its exit code
 */
export function runQuietly(command, args, { cwd, env = process.env, isQuiet = false }) {
  return new Promise((resolve, reject) => {
    const output = isQuiet ? 'ignore' : 2;
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Hands over to a program. It gets the terminal and every signal, and this process ends when it ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code
 */
export function handOver(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    // npm starts scripts through a shell that exits on a signal without forwarding it. Only a changed parent process
    // shows it here.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid !== parent) child.kill('SIGTERM');
    }, 250);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
    });
  });
}
