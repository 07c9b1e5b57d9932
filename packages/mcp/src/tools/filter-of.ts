import { isInstant } from '@recollect/contract';
import { type MemoryFilter, RecollectError, readFilter } from '@recollect/core';

/** The filter that arguments ask for. Throws VALIDATION_FAILED for a time that is none: their schema has no format for it. */
export function filterOf(fields: Parameters<typeof readFilter>[0]): MemoryFilter {
  for (const name of ['since', 'until'] as const) {
    const text = fields[name]?.trim();
    if (text && !isInstant(text)) {
      throw new RecollectError(
        'VALIDATION_FAILED',
        `${name} must be an ISO 8601 date, or date and time with its zone, such as 2026-01-31 or 2026-01-31T09:30:00Z.`,
      );
    }
  }
  return readFilter(fields);
}
