import { fileURLToPath } from 'node:url';

/** The default model: the folder that holds its files, and an id that changes with its vectors. */
export const minilm = {
  id: 'all-MiniLM-L6-v2-int8@5ca1efac1bf6',
  folder: fileURLToPath(new URL('../model', import.meta.url)),
} as const;
