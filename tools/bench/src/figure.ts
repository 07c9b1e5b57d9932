/** One figure beside its limit. */
export interface Figure {
  name: string;
  value: number;
  /** `times`: one measurement as a multiple of another. */
  unit: 'ms' | 'a second' | 'times';
  /** At least for rates, at most for the others. */
  limit: number;
}
