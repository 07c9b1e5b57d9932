import type { QueryFields } from '@recollect/contract';
import type { MemoryFilter } from '../memory.js';

/** The filter that valid filter fields ask for (QRY-8); those that are missing, null or blank ask for nothing. A site may be an address. */
export function readFilter({
  sourceType,
  site,
  tag,
  since,
  until,
}: Omit<QueryFields, 'query' | 'limit'>): MemoryFilter {
  const host = site
    ?.trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^www\./, '');
  return {
    ...(sourceType == null ? {} : { sourceType }),
    ...(host ? { site: host } : {}),
    ...(tag?.trim() ? { tag: tag.trim() } : {}),
    ...(since?.trim() ? { since: new Date(since).toISOString() } : {}),
    ...(until?.trim() ? { until: new Date(until).toISOString() } : {}),
  };
}
