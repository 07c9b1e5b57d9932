import type { Command } from 'commander';
import { wordsOf } from '../manual/format-help.js';

/** A kind of word whose completions only the store or the manual knows. */
export type Kind = 'memory' | 'change' | 'tag' | 'site' | 'search' | 'plugin' | 'job' | 'key' | 'page';

/** The word that is being typed: its kind, and the place in the command line that takes it. */
export interface Wanted {
  kind: Kind;
  /** As typed so far. */
  typed: string;
  /** The words before it except options and the name of the command. */
  before: readonly string[];
  command: Command;
  place: { option: string } | { argument: string };
}

/** The kinds of each command's arguments, in order; the last kind repeats. */
const ARGUMENTS: Readonly<Record<string, readonly Kind[]>> = {
  fetch: ['memory'],
  open: ['memory'],
  show: ['memory'],
  related: ['memory'],
  history: ['memory'],
  edit: ['memory'],
  delete: ['memory'],
  undelete: ['memory'],
  undo: ['change'],
  'trash restore': ['memory'],
  'trash empty': ['memory'],
  help: ['page'],
  'searches rename': ['search'],
  'searches remove': ['search'],
  'tags rename': ['tag'],
  'tags remove': ['tag'],
  'keys revoke': ['key'],
  'plugins install': ['plugin'],
  'plugins uninstall': ['plugin'],
  'plugins enable': ['plugin'],
  'plugins disable': ['plugin'],
  'plugins configure': ['plugin'],
  'plugins run': ['plugin', 'job'],
  'plugins schedule': ['plugin', 'job'],
  'plugins runs': ['plugin', 'job'],
};

/** The kind of value of each option, the same for all commands. */
const OPTIONS: Readonly<Record<string, Kind>> = {
  '--tag': 'tag',
  '--untag': 'tag',
  '--to': 'tag',
  '--site': 'site',
  '--memory': 'memory',
  '--saved': 'search',
};

/** Finds the kind of the last word, if neither the command nor the option lists its values. */
export function findWanted(program: Command, words: readonly string[]): Wanted | null {
  const typed = words.at(-1) ?? '';
  let command = program;
  let option: string | null = null;
  const before: string[] = [];
  for (const word of words.slice(0, -1)) {
    if (option !== null) option = null;
    else if (word.startsWith('-')) option = findValueOption(command, word);
    else {
      const nested =
        before.length === 0 ? command.commands.find((subcommand) => subcommand.name() === word) : undefined;
      if (nested === undefined) before.push(word);
      else command = nested;
    }
  }
  if (option !== null) {
    const kind = OPTIONS[option];
    return kind === undefined ? null : { kind, typed, before, command, place: { option: option.slice(2) } };
  }
  const kinds = ARGUMENTS[wordsOf(command)] ?? [];
  const takers = command.registeredArguments;
  const taker = takers[before.length] ?? (takers.at(-1)?.variadic === true ? takers.at(-1) : undefined);
  const kind = kinds[before.length] ?? kinds.at(-1);
  if (typed.startsWith('-') || taker === undefined || kind === undefined) return null;
  return { kind, typed, before, command, place: { argument: taker.name() } };
}

/** The long name of an option that is followed by a value. */
function findValueOption(command: Command, word: string): string | null {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  return option === undefined || option.isBoolean() ? null : (option.long ?? null);
}
