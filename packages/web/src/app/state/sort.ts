import { type Sort, sorts } from '@recollect/contract/vocabulary';
import { storedChoice } from './stored-choice.js';

/** The order of lists. Results of a search are ordered by how well they match. */
export const sort = storedChoice<Sort>('recollect-sort', sorts);

export const sortNames: Readonly<Record<Sort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  opened: 'Recently opened',
  title: 'By title',
  longest: 'Longest first',
};
