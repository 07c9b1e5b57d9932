import type { Condition } from './condition.js';

/** The condition that a row belongs to a memory that meets the filter. */
export function isWithin(within: Condition | null): string {
  if (within === null) return '1';
  return `rowid in (select c.id from chunks c where c.user_id = ? and c.memory_id in (${within.sql}))`;
}

export function andWithin(within: Condition | null): string {
  return within === null ? '' : `and +${isWithin(within)}`;
}

export function parametersOf(userId: string, within: Condition | null): readonly unknown[] {
  return within === null ? [] : [userId, ...within.parameters];
}
