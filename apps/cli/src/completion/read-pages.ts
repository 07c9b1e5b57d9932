import type { Command } from 'commander';
import { topics } from '../manual/topics.js';
import type { Value } from './read-values.js';

/** The pages of the manual whose name begins with these words: commands, and topics. */
export function readPages(program: Command, before: readonly string[]): Value[] {
  const command = before.reduce<Command | undefined>(
    (found, word) => found?.commands.find((one) => one.name() === word),
    program,
  );
  const commands = (command?.commands ?? []).map((one) => ({ value: one.name(), description: one.description() }));
  const pages = Object.entries(topics).map(([value, { summary }]) => ({ value, description: summary }));
  return before.length === 0 ? [...commands, ...pages] : commands;
}
