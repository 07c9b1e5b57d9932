import { IncompleteChangeError } from '@recollect/contract/follow-change';
import { RecollectError } from '@recollect/core';
import { CommanderError } from 'commander';
import { InvalidOptionError } from './commands/command.js';
import { ConfigurationError, rejectUnknownSettings } from './config.js';
import { createProgram } from './program.js';
import { hideProgress } from './terminal/progress.js';

const WRONG_USAGE = 2;
const WRONG_CONFIGURATION = 78;

/**
 * Runs a command line, given the words after the program's name, and sets the exit code of the process (CLI-1). Errors
 * are printed and not thrown.
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    // The doctor examines what keeps other commands from running.
    if (words[0] !== 'doctor') rejectUnknownSettings();
    if (words.length === 0) await (await import('./commands/status.js')).overview();
    else await (await createProgram(words)).parseAsync([...words], { from: 'user' });
  } catch (error) {
    hideProgress();
    const { code, sentence } = describeError(error);
    if (sentence !== null) process.stderr.write(`${sentence}\n`);
    process.exitCode = code;
  }
}

/** The exit code and message for an error. The message is null if commander has already printed one. */
function describeError(error: unknown): { code: number; sentence: string | null } {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : WRONG_USAGE, sentence: null };
  if (error instanceof InvalidOptionError) return { code: WRONG_USAGE, sentence: error.message };
  if (error instanceof ConfigurationError) return { code: WRONG_CONFIGURATION, sentence: error.message };
  if (error instanceof RecollectError || error instanceof IncompleteChangeError)
    return { code: 1, sentence: error.message };
  if ((error as Error | null)?.name === 'AbortError') return { code: 1, sentence: 'Stopped.' };
  if (/^E[MN]FILE$/.test((error as NodeJS.ErrnoException | null)?.code ?? '')) {
    const sentence = 'Too many open files. Raise the limit of this process, for example with ulimit -n 1024.';
    return { code: 1, sentence };
  }
  return { code: 1, sentence: `Unexpected error: ${error instanceof Error ? error.message : String(error)}` };
}
