/** One page of docs/. */
export interface Page {
  /** Path below `/docs/`, such as `getting-started/terminal`. */
  path: string;
  section: string;
  /** Plain text. */
  title: string;
  /** Without scripts and styles. PNG files are inlined, and each table is wrapped in a `div` of class `wide`. */
  html: string;
}
