import type { RuleName } from './rules.js';

/** The areas that do not follow a rule yet. A rule is active in all others: delete an area as soon as it is clean. */
export const pendingAreas: Record<RuleName, readonly string[]> = {
  'no-is-no': [],
  'no-whoever': [],
  'no-headless-of': [],
  'no-own': [],
  'no-go-on': [],
  'no-as-it-is': [],
  'no-is-held': [],
  'no-none-of': [],
  'no-final-particle': [],
  'no-headless-what': [],
  'short-sentences': [],
  'short-lines': [],
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

/**
 * Files with prose that is not this project's: quoted text, fixtures, rules that quote wordings, and generated files.
 */
export const SKIPPED =
  /(?:^|\/)(?:fixtures|model|assembly|training)\/|\/prose\/(?:rules|areas)\.ts$|\.d\.ts$|export\.schema|\/generated\//;

/** The area of a file: its package, `apps`, `tools`, a document or folder of docs, or `root` for all others. */
export function areaOf(path: string): string {
  const [floor = '', name = ''] = path.split('/');
  if (floor === 'packages' || floor === 'docs') return `${floor}/${name.replace('.md', '')}`;
  return floor === 'apps' || floor === 'tools' ? floor : 'root';
}
