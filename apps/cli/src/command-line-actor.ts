import type { Actor } from '@recollect/contract';

/** Who changes memories on the command line. */
export const COMMAND_LINE: Actor = { client: 'cli', name: null, key: null };
