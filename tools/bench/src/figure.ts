/** One figure beside its limit. */
export interface Figure {
  name: string;
  value: number;
  unit: 'ms' | 'a second';
  /** At most for times, at least for rates. */
  limit: number;
}
