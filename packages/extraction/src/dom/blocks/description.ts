/** What is known of a block, by name. Each is a number; what does not exist is far away, or 0. */
export type Description = Record<string, number>;

/** Levels to an element that is not there. */
export const NOWHERE = 30;
