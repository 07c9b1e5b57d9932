import type { Command } from 'commander';
import { wordsOf } from '../src/manual/format-help.js';

/** The page docs/commands.md: each command with its arguments and options, in the groups of the help. */
export function formatCommands(program: Command): string {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const sections = [...groups].map(([group, commands]) => {
    const own = commands.flatMap(withNested);
    return [`## ${group.replace(':', '')}`, ...own.map(formatCommand)].join('\n\n');
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `# Commands

This page is generated from the program. \`recollect help COMMAND\` adds examples, and \`recollect help\` lists pages about
ids, dates, search operators, output and exit codes. An id may be shortened to a unique beginning, and \`@1\` is the first
memory of the last list.`;

function withNested(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withNested)];
}

function formatCommand(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? '...' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  const options = command.options.filter(({ hidden }) => !hidden);
  const rows = options.map(({ flags, description }) => `| ${cell(`\`${flags}\``)} | ${cell(description)} |`);
  const table = rows.length === 0 ? [] : [['| option | meaning |', '|---|---|', ...rows].join('\n')];
  const description = command.description();
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  return [`### \`recollect ${[wordsOf(command), ...args].join(' ')}\``, sentence, ...table].join('\n\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
