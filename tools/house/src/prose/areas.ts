import type { RuleName } from './rules.js';

/** The areas in which each rule has no findings, and must not get any. A rule without areas is not active yet. */
export const cleanAreas: Record<RuleName, readonly string[]> = {
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
export const exceptions: readonly { path: string; rule: RuleName; text: string; reason: string }[] = [];

/** Files with prose that is not this project's: quoted text, fixtures, and what is generated. */
export const SKIPPED =
  /(?:^|\/)(?:fixtures|model|assembly|training)\/|\/prose\/rules\.ts$|\.d\.ts$|export\.schema|\/generated\//;

/** The area of a file: its package, `apps`, `tools`, or `docs` for Markdown outside of them. */
export function areaOf(path: string): string {
  const [floor = '', name = ''] = path.split('/');
  if (floor === 'packages') return `packages/${name}`;
  return floor === 'apps' || floor === 'tools' ? floor : 'docs';
}
