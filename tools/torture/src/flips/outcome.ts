/**
 * The outcome of a flipped bit: `refused` the store was not opened, with a message; `reported` a response named the
 * damage; `warned` a memory came with a warning; `wrong` a text differed and nothing said so; `failed` an error without
 * a cause; `unnoticed` no difference was seen.
 */
export const OUTCOMES = ['refused', 'reported', 'warned', 'wrong', 'failed', 'unnoticed'] as const;
export type Outcome = (typeof OUTCOMES)[number];
