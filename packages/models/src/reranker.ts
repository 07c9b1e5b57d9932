import { fileURLToPath } from 'node:url';

/**
 * The model of careful search: the folder with its files, an id that changes whenever its scores change, and its
 * recipe.
 */
export const reranker = {
  id: 'ms-marco-MiniLM-L-12-v2-int8@f83457162b39',
  folder: fileURLToPath(new URL('../reranker', import.meta.url)),
  recipe: {
    // It reads 512. The passages of Recollect are shorter; 128 lost a third to half of its benefit.
    maxTokens: 256,
    // Other letters are single tokens to it.
    scripts: ['Latin'],
  },
} as const;
