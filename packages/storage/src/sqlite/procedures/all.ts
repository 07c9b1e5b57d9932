/** Runs a statement on the calling thread, and returns its rows. */
export type All = (sql: string, parameters: readonly unknown[]) => unknown[];
