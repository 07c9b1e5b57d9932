import { fileURLToPath } from 'node:url';

/** The model for many languages: the folder with its files, an id that changes whenever its vectors change, and its profile. */
export const multilingual = {
  id: 'multilingual-e5-small-int8@fb7029ea4f2d',
  folder: fileURLToPath(new URL('../model', import.meta.url)),
  recipe: {
    dimensions: 384,
    maxTokens: 512,
    prefixes: { query: 'query: ', document: 'passage: ' },
    pooling: 'mean',
    isNormalised: true,
    // Those of the languages whose pieces were kept. Words of others are single letters to it.
    scripts: ['Latin', 'Cyrillic', 'Greek', 'Han', 'Hiragana', 'Katakana', 'Hangul'],
    similarityFloor: 0,
    fusionWeight: 0.45,
    lateWeight: 0.3,
  },
} as const;
