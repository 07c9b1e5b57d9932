import type { QueryFields } from '@recollect/contract';
import type { MemoryFilter } from '@recollect/core';

/** The filter that valid filter fields ask for; those that are null or blank ask for nothing. */
export function readFilter({
  sourceType,
  site,
  tag,
  since,
  until,
}: Omit<QueryFields, 'query' | 'limit'>): MemoryFilter {
  return {
    ...(sourceType == null ? {} : { sourceType }),
    ...(site?.trim()
      ? {
          site: site
            .trim()
            .toLowerCase()
            .replace(/^www\./, ''),
        }
      : {}),
    ...(tag?.trim() ? { tag: tag.trim() } : {}),
    ...(since?.trim() ? { since: new Date(since).toISOString() } : {}),
    ...(until?.trim() ? { until: new Date(until).toISOString() } : {}),
  };
}
