/** Milliseconds of processor time that are left to a search (QRY-21). Each step takes from them. */
export interface SearchBudget {
  left: number;
}

export const OUT_OF_TIME =
  'The search took too long and was ended, so results may be missing. Use fewer words, phrases or exclusions.';
