import type { Actor } from '@recollect/contract';

/** The actor of changes on the command line. */
export const COMMAND_LINE: Actor = { client: 'cli', name: null, key: null };
