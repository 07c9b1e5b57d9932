import { runCommandLine } from './run-command-line.js';

/** Runs a command line in a process of its own, given the words after the program's name. */
export async function main(words: readonly string[]): Promise<void> {
  // A reader that stops early, such as head, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  await runCommandLine(words);
}
