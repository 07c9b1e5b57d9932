/** One figure beside its limit. */
export interface Figure {
  name: string;
  value: number;
  /** `times`: one measurement as a multiple of another. */
  unit: 'ms' | 'a second' | 'times' | 'F1' | 'KB';
  /** At least for rates and F1, at most for the others. */
  limit: number;
}
