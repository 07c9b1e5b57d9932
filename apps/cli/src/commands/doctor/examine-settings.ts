import { type Finding, ok, warning } from '@recollect/core';

/** Settings with names that do not exist, which end every other command. */
export function examineSettings(unknown: readonly string[]): Finding[] {
  if (unknown.length === 0) return [ok('settings', 'All settings are known.')];
  return unknown.map((sentence) => warning('settings', sentence));
}
