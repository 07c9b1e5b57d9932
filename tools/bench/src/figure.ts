/** A measured figure and its limit. */
export interface Figure {
  name: string;
  value: number;
  /** `times`: one measurement as a multiple of another. */
  unit: 'ms' | 'a second' | 'times' | 'F1' | 'KB' | 'MB' | 'nodes';
  /** A minimum for rates and F1, a maximum for the others. */
  limit: number;
}
