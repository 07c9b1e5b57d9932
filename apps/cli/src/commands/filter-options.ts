import { formatOperator, type OperatorName } from '@recollect/contract/query-syntax';
import { clients, type Place, places, sourceTypes } from '@recollect/contract/vocabulary';
import { RecollectError, readFilter } from '@recollect/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { InvalidOptionError } from './command.js';

export interface FilterOptions {
  site?: string[];
  source?: string[];
  tag?: string[];
  since?: string;
  until?: string;
  by?: string[];
  starred?: boolean;
  unread?: boolean;
  read?: boolean;
  place?: Place;
}

/** The filters that `search` and `recent` share. Those that take a value more than once collect them. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--site <host>', 'only from this site and its subdomains; again for one more site', collect)
    .option('--source <type>', 'only of this source type; again for one more type', collectSource)
    .option('--tag <tag>', 'only with this tag; again for one that it must have too', collect)
    .option('--since <date>', 'only captured on or after this date')
    .option('--until <date>', 'only captured before this date')
    .option('--starred', 'only with a star')
    .option('--unread', 'only what was not read yet')
    .option('--read', 'only what was read')
    .addOption(
      new Option('--place <place>', 'only what is in the inbox, in later or in the archive').choices([...places]),
    )
    .option(
      '--by <who>',
      `only saved by: ${clients.join(', ')}, or one assistant or plugin, such as mcp:NAME; again for one more`,
      collect,
    );
}

const collect = (value: string, former: string[] = []) => [...former, value];

function collectSource(value: string, former?: string[]): string[] {
  if (!(sourceTypes as readonly string[]).includes(value))
    throw new InvalidArgumentError(`Allowed choices are ${sourceTypes.join(', ')}.`);
  return collect(value, former);
}

/** The options as operators of a query. Throws {@link InvalidOptionError}. */
export function toOperators({
  site,
  source,
  tag,
  since,
  until,
  by,
  starred,
  unread,
  read,
  place,
}: FilterOptions): string[] {
  if (unread && read) throw new InvalidOptionError('Pass --unread or --read, not both.');
  const states = [starred && 'starred', unread && 'unread', read && 'read', place].filter(
    (state) => typeof state === 'string',
  );
  const values: Record<OperatorName, readonly (string | undefined)[]> = {
    site: site ?? [],
    source: source ?? [],
    tag: tag ?? [],
    after: [since],
    before: [until],
    by: by ?? [],
    is: states,
  };
  for (const site of values.site) demandValid({ site });
  for (const client of values.by) demandValid({ by: client });
  demandValid({ since, until });
  return Object.entries(values).flatMap(([name, list]) =>
    list.flatMap((value) =>
      value?.trim() ? [formatOperator({ name: name as OperatorName, value: value.trim() })] : [],
    ),
  );
}

function demandValid(fields: Parameters<typeof readFilter>[0]): void {
  try {
    readFilter(fields);
  } catch (error) {
    throw error instanceof RecollectError ? new InvalidOptionError(`--${error.message}`) : error;
  }
}
