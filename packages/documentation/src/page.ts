/** One page of docs/. */
export interface Page {
  /** Such as `getting-started/terminal`; it is shown at `/docs/` and this. */
  path: string;
  section: string;
  /** Plain text. */
  title: string;
  /** Without scripts, styles and pictures; tables stand in a `div` of class `wide`. */
  html: string;
}
