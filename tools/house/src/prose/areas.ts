import type { RuleName } from './rules.js';

/** The areas that do not follow a rule yet. A rule is active in all others: delete an area as soon as it is clean. */
export const pendingAreas: Record<RuleName, readonly string[]> = {
  'no-is-no': [
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extraction',
    'packages/importers',
    'packages/mcp',
    'packages/plugins',
    'packages/storage',
    'packages/vector-scan',
    'packages/web',
  ],
  'no-whoever': [
    'packages/backups',
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/mcp',
    'packages/plugins',
    'packages/storage',
    'packages/vector-scan',
    'packages/web',
  ],
  'no-headless-of': [
    'packages/backups',
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/model-multilingual',
    'packages/plugin-runtime',
    'packages/plugins',
    'packages/storage',
    'packages/ui',
    'packages/vector-scan',
    'packages/web',
  ],
  'no-own': [
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/mcp',
    'packages/plugin-runtime',
    'packages/plugins',
    'packages/storage',
    'packages/ui',
    'packages/vector-scan',
    'packages/web',
  ],
  'no-go-on': [
    'packages/contract',
    'packages/core',
    'packages/extraction',
    'packages/importers',
    'packages/storage',
    'packages/web',
  ],
  'no-as-it-is': [
    'packages/contract',
    'packages/core',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/mcp',
    'packages/storage',
    'packages/vector-scan',
    'packages/web',
  ],
  'no-is-held': ['packages/storage', 'packages/web'],
  'no-none-of': [
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extraction',
    'packages/plugin-runtime',
    'packages/storage',
  ],
  'no-final-particle': [
    'packages/backups',
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/model-minilm',
    'packages/plugin-runtime',
    'packages/plugins',
    'packages/storage',
    'packages/ui',
    'packages/vector-scan',
    'packages/web',
  ],
  'no-headless-what': [
    'packages/backups',
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/mcp',
    'packages/plugins',
    'packages/storage',
    'packages/web',
  ],
  'short-sentences': ['docs/interface', 'packages/extraction', 'packages/model-multilingual', 'packages/vector-scan'],
  'short-lines': [
    'packages/backups',
    'packages/contract',
    'packages/core',
    'packages/embeddings',
    'packages/extension',
    'packages/extraction',
    'packages/importers',
    'packages/mcp',
    'packages/model-multilingual',
    'packages/model-reranker',
    'packages/plugin-runtime',
    'packages/plugins',
    'packages/storage',
    'packages/ui',
    'packages/vector-scan',
    'packages/web',
  ],
};

/** Findings that are right as they stand. */
export const exceptions: readonly { path: string; rule: RuleName; text: string; reason: string }[] = [
  {
    path: 'tools/soak/src/write-text.ts',
    rule: 'no-headless-of',
    text: 'the one that',
    reason: 'a sentence that a simulated user wrote',
  },
];

/** Files with prose that is not this project's: quoted text, fixtures, rules that quote wordings, and generated files. */
export const SKIPPED =
  /(?:^|\/)(?:fixtures|model|assembly|training)\/|\/prose\/(?:rules|areas)\.ts$|\.d\.ts$|export\.schema|\/generated\//;

/** The area of a file: its package, `apps`, `tools`, a document or folder of docs, or `root` for all others. */
export function areaOf(path: string): string {
  const [floor = '', name = ''] = path.split('/');
  if (floor === 'packages' || floor === 'docs') return `${floor}/${name.replace('.md', '')}`;
  return floor === 'apps' || floor === 'tools' ? floor : 'root';
}
