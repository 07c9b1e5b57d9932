import { sourceTypes } from '@recollect/contract/vocabulary';
import type { MemoryFilter } from '@recollect/core';
import { type Command, Option } from 'commander';
import { InvalidOptionError } from './command.js';

export interface FilterOptions {
  site?: string;
  source?: (typeof sourceTypes)[number];
  tag?: string;
  since?: string;
  until?: string;
}

/** The filters that `search` and `recent` share. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--site <host>', 'from this site and its subdomains')
    .addOption(new Option('--source <type>', 'of this source').choices([...sourceTypes]))
    .option('--tag <tag>', 'with this tag')
    .option('--since <date>', 'captured on or after this day', instant)
    .option('--until <date>', 'captured before this day', instant);
}

export function toFilter({ site, source, tag, since, until }: FilterOptions): MemoryFilter {
  return {
    ...(site === undefined ? {} : { site: site.toLowerCase().replace(/^www\./, '') }),
    ...(source === undefined ? {} : { sourceType: source }),
    ...(tag === undefined ? {} : { tag }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

function instant(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidOptionError('A date is written like 2026-01-31.');
  return at.toISOString();
}
