import type { Command } from 'commander';
import { topics } from '../manual/topics.js';
import { style } from '../terminal/output.js';
import { printLong } from '../terminal/print.js';
import { type AddCommand, InvalidOptionError } from './command.js';

export const addHelp: AddCommand = (program) => {
  program
    .command('help')
    .description('show the manual of a command, or a page on a topic')
    .argument('[words...]', `a command such as tags rename, or one of: ${Object.keys(topics).join(', ')}`)
    .action((words: string[]) => help(program, words));
};

async function help(program: Command, words: readonly string[]): Promise<void> {
  const [name = ''] = words;
  const topic = words.length === 1 && Object.hasOwn(topics, name) ? topics[name] : undefined;
  await printLong(
    topic === undefined
      ? find(program, words).helpInformation().trimEnd()
      : `${style('bold', topic.summary)}\n\n${topic.text}`,
  );
}

/** The command that words name. Throws {@link InvalidOptionError}. */
function find(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((subcommand) => subcommand.name() === word);
    if (next === undefined)
      throw new InvalidOptionError(
        `There is no command or topic ${words.join(' ')}. recollect --help lists the commands; the topics are ${Object.keys(topics).join(', ')}.`,
      );
    command = next;
  }
  return command;
}
