import { formatOperator, type OperatorName } from '@recollect/contract/query-syntax';
import { clients, sourceTypes } from '@recollect/contract/vocabulary';
import { type MemoryFilter, RecollectError, readFilter } from '@recollect/core';
import { type Command, Option } from 'commander';
import { InvalidOptionError } from './command.js';

export interface FilterOptions {
  site?: string;
  source?: (typeof sourceTypes)[number];
  tag?: string;
  since?: string;
  until?: string;
  by?: string;
  starred?: boolean;
  unread?: boolean;
  read?: boolean;
}

/** The filters that `search` and `recent` share. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--site <host>', 'only from this site and its subdomains')
    .addOption(new Option('--source <type>', 'only of this source type').choices([...sourceTypes]))
    .option('--tag <tag>', 'only with this tag')
    .option('--since <date>', 'only captured on or after this date')
    .option('--until <date>', 'only captured before this date')
    .option('--starred', 'only with a star')
    .option('--unread', 'only what was not read yet')
    .option('--read', 'only what was read')
    .option('--by <who>', `only saved by: ${clients.join(', ')}, or one assistant or plugin, such as mcp:NAME`);
}

/** The options as operators of a query. Throws {@link InvalidOptionError}. */
export function toOperators(options: FilterOptions): string[] {
  const { starred, readState } = toFilter(options);
  const { site, source, tag, since, until, by } = options;
  const operators = { site, source, tag, after: since, before: until, by };
  const given = Object.entries(operators).flatMap(([name, value]) =>
    value?.trim() ? [formatOperator({ name: name as OperatorName, value: value.trim() })] : [],
  );
  const states = [starred === true ? 'starred' : undefined, readState].filter((state) => state !== undefined);
  return [...given, ...states.map((value) => formatOperator({ name: 'is', value }))];
}

/** Throws {@link InvalidOptionError}. */
export function toFilter({ site, source, tag, since, until, by, starred, unread, read }: FilterOptions): MemoryFilter {
  if (unread && read) throw new InvalidOptionError('Pass --unread or --read, not both.');
  const readState = unread ? 'unread' : read ? 'read' : undefined;
  try {
    return readFilter({ sourceType: source, site, tag, since, until, by, starred, readState });
  } catch (error) {
    throw error instanceof RecollectError ? new InvalidOptionError(`--${error.message}`) : error;
  }
}
