import { highlightColours } from '@recollect/contract/vocabulary';
import { storedChoice } from './stored-choice.js';

const [usual, ...others] = highlightColours;

/** The colour of the next highlight: the last chosen one, which this browser keeps. */
export const nextColour = storedChoice('recollect-highlight-colour', [usual, ...others]);
