const PIECE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{L}[\p{L}\p{M}]*|\p{N}+|[^\s\p{L}\p{N}]/gu;

/**
 * About how many tokens the WordPiece vocabulary of the default model makes of a text. Short words are one token, long
 * ones a token every four letters more, CJK characters and punctuation one each; a run of over 100 letters is a single
 * unknown token to it (BERT's `max_input_chars_per_word`).
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece.length > 100) tokens += Math.ceil(piece.length / 100);
    else if (/^\p{N}/u.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (piece.length <= 7) tokens += 1;
    else tokens += 1 + Math.ceil((piece.length - 7) / 4);
  }
  return tokens;
}
