import { storedChoice } from '../state/stored-choice.js';

export const views = ['comfortable', 'compact', 'cards'] as const;

/** How the list looks. Results of a search are rows in every view, since their order and their passages matter. */
export const view = storedChoice('recollect-view', views);
