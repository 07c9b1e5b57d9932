import { type Command, Help } from 'commander';
import { style } from '../terminal/output.js';
import { pages } from './pages.js';
import { topics } from './topics.js';

/** How commander formats the help of this program: with what the manual says of each command and with its examples. */
export const manualHelp: Partial<Help> = {
  styleTitle: (title) => style('bold', title),

  commandDescription(command) {
    const about = pages[wordsOf(command)]?.about;
    return about === undefined ? command.description() : `${command.description()}\n\n${about}`;
  },

  formatHelp(command, help) {
    const examples = pages[wordsOf(command)]?.examples ?? {};
    return [
      Help.prototype.formatHelp.call(help, command, help),
      ...section('Topics:', command.parent === null ? describeTopics() : {}, help),
      ...section('Examples:', examples, help),
    ].join('\n');
  },
};

/** The words that name a command, such as `tags rename`; none for the program itself. */
export function wordsOf(command: Command): string {
  return command.parent === null ? '' : `${wordsOf(command.parent)} ${command.name()}`.trim();
}

function describeTopics(): Record<string, string> {
  return Object.fromEntries(Object.entries(topics).map(([name, { summary }]) => [`recollect help ${name}`, summary]));
}

/** Lines, each with its meaning to the right of it, or below it if it is long. */
function section(title: string, lines: Readonly<Record<string, string>>, help: Help): string[] {
  const entries = Object.entries(lines);
  if (entries.length === 0) return [];
  const width = Math.max(...entries.map(([line]) => line.length));
  const fit = entries.every(([, meaning]) => width + meaning.length + 5 <= (help.helpWidth ?? 80));
  const items = entries.map(([line, meaning]) =>
    fit ? `  ${line.padEnd(width)}   ${meaning}` : `  ${line}\n      ${meaning}`,
  );
  return [help.styleTitle(title), ...items, ''];
}
