import { existsSync } from 'node:fs';
import { join } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { findWanted } from '../completion/find-wanted.js';
import { readPages, readValues, type Value } from '../completion/read-values.js';

import { SHELL_SCRIPTS, type Shell } from '../completion/shell-scripts.js';
import { readConfiguration } from '../config.js';
import { wordsOf } from '../manual/format-help.js';
import { inert, print } from '../terminal/output.js';
import { withExecutor } from './command.js';

/**
 * Adds shell completion. The shell calls `complete -- WORDS` for each completion; the library answers it from the
 * commands, and from what the store or the manual has for the word that is being typed.
 */
export async function addComplete(program: Command, words: readonly string[]): Promise<void> {
  const completion = tab(program);
  completion.setup = (_name, _executable, shell) => print(SHELL_SCRIPTS[shell as Shell]);
  const [command, separator, ...typed] = words;
  const request = command === 'complete' && separator === '--' ? findWanted(program, typed) : null;
  if (request === null) return;
  const { kind } = request;
  const values =
    kind === 'page'
      ? readPages(program, request.before)
      : await readQuietly(() => withExecutor(({ call }) => readValues(call, { ...request, kind })));
  const offer = (add: (value: string, description: string) => void) => {
    for (const { value, description } of values)
      if (inert(value) === value) add(value, inert(description ?? '').replace(/\s+/g, ' '));
  };
  const taker = completion.commands.get(wordsOf(request.command));
  if ('option' in request.place) taker?.option(request.place.option, '', offer);
  else taker?.argument(request.place.argument, offer, true);
}

/** A completion never makes a store, and shows no error in the middle of a line. */
async function readQuietly(read: () => Promise<Value[]>): Promise<Value[]> {
  try {
    return existsSync(join(readConfiguration().dataFolder, 'recollect.db')) ? await read() : [];
  } catch {
    return [];
  }
}
