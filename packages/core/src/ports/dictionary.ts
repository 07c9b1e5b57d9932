/** Knows words of languages, so that a real word is not taken for a mistyped one. */
export interface Dictionary {
  /** Whether it has a word, which is in lower case and plain letters. */
  has(word: string): boolean;
}
