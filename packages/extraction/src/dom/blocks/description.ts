/** The features of a block, by name. Each is a number; a missing element counts as far away, or 0. */
export type Description = Record<string, number>;

/** Levels to an element that is not there. */
export const NOWHERE = 30;
