/** A character of a language without spaces. */
const CHARACTER = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u;
/** A word of a language with spaces, or one character of a language without. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}_])+/gu;
/** Words per run: enough to tell one sentence from another, and few enough to survive a change beside them. */
const RUN = 3;

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** How much a text says, in words: of a language without spaces, two characters are about one. */
export function sizeOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (CHARACTER.test(word) ? 0.5 : 1), 0);
}

/** A text in which pieces of other texts are looked for. */
export class KnownText {
  readonly #runs: ReadonlySet<string>;

  constructor(text: string) {
    this.#runs = new Set(runsOf(wordsOf(text)));
  }

  /**
   * How much of each piece of another text is in this one, from 0 to 1, by its runs of three words. A short piece is
   * often in a text by chance, as the words of a menu are, so each is looked for together with the two words before or
   * after it.
   *
   * @param pieces the words of each piece, in order
   */
  sharesOf(pieces: readonly (readonly string[])[]): number[] {
    const all = pieces.flat();
    let start = 0;
    return pieces.map((piece) => {
      const end = start + piece.length;
      const withBefore = all.slice(Math.max(0, start - RUN + 1), end);
      const withAfter = all.slice(start, end + RUN - 1);
      start = end;
      return Math.max(this.#shareOf(withBefore), this.#shareOf(withAfter));
    });
  }

  #shareOf(words: readonly string[]): number {
    const runs = runsOf(words);
    return runs.filter((run) => this.#runs.has(run)).length / Math.max(1, runs.length);
  }
}

function runsOf(words: readonly string[]): string[] {
  return words.slice(RUN - 1).map((_, start) => words.slice(start, start + RUN).join(' '));
}
