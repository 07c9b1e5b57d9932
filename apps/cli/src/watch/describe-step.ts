import type { Step } from './keep-in-step.js';

const DONE = { saved: 'Saved', updated: 'Updated', renamed: 'Renamed', trashed: 'Moved to the trash:' } as const;

/**
 * Describes a step in one line for the user.
 *
 * @example
 * describeStep({ path: 'Tea.md', did: 'saved' }); // 'Saved Tea.md'
 */
export function describeStep(step: Step): string {
  return step.did === 'skipped' ? `Skipped ${step.path}: ${step.reason}` : `${DONE[step.did]} ${step.path}`;
}
