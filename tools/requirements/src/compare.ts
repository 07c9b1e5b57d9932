import { idsIn, type Requirement } from './read-requirements.js';

/** The mismatches between the requirements and the test titles, a sentence each. */
export function compare(requirements: readonly Requirement[], titles: readonly string[]): string[] {
  const cited = new Set(titles.flatMap(idsIn));
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...requirements
      .filter(({ id, isPlanned }) => !isPlanned && !cited.has(id))
      .map(({ id }) => `No test title names ${id}.`),
    ...requirements
      .filter(({ id, isPlanned }) => isPlanned && cited.has(id))
      .map(({ id }) => `${id} is marked as planned, but a test already names it.`),
    ...[...cited].filter((id) => !known.has(id)).map((id) => `A test names ${id}, which is not a requirement.`),
  ];
}
