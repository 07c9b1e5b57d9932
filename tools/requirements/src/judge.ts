import { idsIn, type Requirement } from './read-requirements.js';

/** What is wrong between the list and the tests, a sentence each. */
export function judge(requirements: readonly Requirement[], titles: readonly string[]): string[] {
  const cited = new Set(titles.flatMap(idsIn));
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...requirements
      .filter(({ id, isPlanned }) => !isPlanned && !cited.has(id))
      .map(({ id }) => `${id} is proven by no test.`),
    ...requirements
      .filter(({ id, isPlanned }) => isPlanned && cited.has(id))
      .map(({ id }) => `${id} is planned, and a test proves it already.`),
    ...[...cited].filter((id) => !known.has(id)).map((id) => `A test names ${id}, which is no requirement.`),
  ];
}
