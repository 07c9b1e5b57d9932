import type { SetupAnswer } from '@recollect/contract';

/** The file in the archive that tells the extension whose it is. */
export const setupFileName = 'recollect-everywhere.setup.json';

/** What that file holds; nothing of it is secret. */
export interface SetupFile extends Pick<SetupAnswer, 'product' | 'connection'> {
  surfaces: {
    /** Hosts of OpenClaw, with a port or without. */
    openclaw: readonly string[];
  };
}
