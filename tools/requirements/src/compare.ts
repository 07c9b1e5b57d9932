import { idsIn, type Requirement } from './read-requirements.js';
import type { TestTitle } from './read-titles.js';

/**
 * The mismatches between the requirements and the test titles, a sentence each. Each requirement needs a test that is
 * not of the long suite.
 */
export function compare(requirements: readonly Requirement[], titles: readonly TestTitle[]): string[] {
  const cited = new Set(titles.flatMap(({ title }) => idsIn(title)));
  const proven = new Set(titles.flatMap(({ title, isLong }) => (isLong ? [] : idsIn(title))));
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...requirements
      .filter(({ id, isPlanned }) => !isPlanned && !proven.has(id))
      .map(({ id }) => `No test title names ${id}${cited.has(id) ? ', except in the long suite' : ''}.`),
    ...requirements
      .filter(({ id, isPlanned }) => isPlanned && cited.has(id))
      .map(({ id }) => `${id} is marked as planned, but a test already names it.`),
    ...[...cited].filter((id) => !known.has(id)).map((id) => `A test names ${id}, which is not a requirement.`),
  ];
}
