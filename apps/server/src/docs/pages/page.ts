/** One page of docs/. */
export interface DocumentationPage {
  /** Path below `/docs/`, such as `getting-started/terminal`. */
  path: string;
  section: string;
  /** Whether navigation shows it. Other pages are reached through links. */
  isListed: boolean;
  /** Plain text. */
  title: string;
  /** Without scripts and styles. PNG files are inlined, and each table is wrapped in a `div` of class `wide`. */
  html: string;
}
