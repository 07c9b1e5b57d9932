import type { QueryFields } from '@recollect/contract';
import { readDate } from '@recollect/contract/instant';
import { readSite } from '../capture/url-key.js';
import { RecollectError } from '../error.js';
import type { MemoryFilter } from '../memory.js';

export type FilterFields = Omit<QueryFields, 'query' | 'limit'>;

/**
 * The filter that fields ask for (QRY-8); those that are missing, null or blank ask for nothing. Throws VALIDATION_FAILED for
 * a site that is no host, and for a date that does not exist.
 */
export function readFilter({ sourceType, site, tag, since, until }: FilterFields): MemoryFilter {
  return {
    sourceType: sourceType ?? undefined,
    site: read('site', site, readSite, 'must be a host, such as example.org'),
    tag: tag?.trim() || undefined,
    since: read('since', since, readDate, DATE),
    until: read('until', until, readDate, DATE),
  };
}

const DATE =
  'must be an ISO 8601 date that exists, or date and time with its zone, such as 2026-01-31 or 2026-01-31T09:30:00Z';

function read(
  name: string,
  text: string | null | undefined,
  interpret: (text: string) => string | null,
  message: string,
): string | undefined {
  if (!text?.trim()) return undefined;
  const value = interpret(text.trim());
  if (value !== null) return value;
  throw new RecollectError('VALIDATION_FAILED', `${name} ${message}.`, { errors: [{ pointer: `/${name}`, message }] });
}
