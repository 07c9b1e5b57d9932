import { fileURLToPath } from 'node:url';

/** Path of the `recollect` program as it ships. */
export const cliProgram = fileURLToPath(new URL('../../../apps/cli/dist/bundle/main.js', import.meta.url));
