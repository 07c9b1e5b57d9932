import type { QueryFields } from '@recollect/contract';
import { readDate } from '@recollect/contract/instant';
import { readSite } from '../capture/url-key.js';
import { RecollectError } from '../error.js';
import type { MemoryFilter } from '../memory.js';

export type FilterFields = { [Name in keyof Omit<QueryFields, 'query' | 'limit'>]?: QueryFields[Name] | undefined };

/**
 * The filter that fields ask for (QRY-8); those that are missing, null or blank ask for nothing. Throws VALIDATION_FAILED for
 * a site that is no host, and for a date that does not exist.
 */
export function readFilter({ sourceType, site, tag, since, until }: FilterFields): MemoryFilter {
  return {
    ...(sourceType == null ? {} : { sourceType }),
    ...read('site', site, readSite, 'must be a host, such as example.org'),
    ...(tag?.trim() ? { tag: tag.trim() } : {}),
    ...read('since', since, readDate, DATE),
    ...read('until', until, readDate, DATE),
  };
}

const DATE =
  'must be an ISO 8601 date that exists, or date and time with its zone, such as 2026-01-31 or 2026-01-31T09:30:00Z';

function read<Name extends string>(
  name: Name,
  text: string | null | undefined,
  interpret: (text: string) => string | null,
  message: string,
): { [Key in Name]?: string } {
  if (!text?.trim()) return {};
  const value = interpret(text.trim());
  if (value !== null) return { [name]: value } as { [Key in Name]: string };
  throw new RecollectError('VALIDATION_FAILED', `${name} ${message}.`, { errors: [{ pointer: `/${name}`, message }] });
}
