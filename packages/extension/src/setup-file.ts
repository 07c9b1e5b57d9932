import type { SetupAnswer } from '@recollect/contract';

/** The file in the archive that tells the extension which deployment it belongs to. */
export const setupFileName = 'recollect-everywhere.setup.json';

/** The content of the setup file. It contains no secret. */
export interface SetupFile extends Pick<SetupAnswer, 'product' | 'connection'> {
  surfaces: {
    /** OpenClaw hosts, with or without a port. */
    openclaw: readonly string[];
  };
}
