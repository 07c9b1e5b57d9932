/** Matches the text between quotation marks, with a backslash before each quotation mark and each backslash. */
export const QUOTED = '[^"\\\\]*(?:\\\\.[^"\\\\]*)*';

/** Puts a text in quotation marks. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The text that stands between quotation marks. Other backslashes stand for themselves. */
export function unquote(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1');
}
