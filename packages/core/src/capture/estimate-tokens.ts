/** Runs of letters, runs of digits, and every other character that is not white space by itself. */
const PIECE = /[a-z]+|\p{L}[\p{L}\p{M}]*|\p{N}+|[^\s\p{L}\p{N}]/giu;

/**
 * About how many tokens the WordPiece vocabulary of the default model makes of a text: of a short English word one, of a
 * long one a token every four letters more, of other scripts and punctuation one a character. A run of over 100 letters
 * is a single unknown token to it (BERT's `max_input_chars_per_word`). Over Cranfield's abstracts the true
 * count is .88 of the estimate at the median and .96 at the 95th percentile.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += tokensOf(piece);
  return tokens;
}

/** The pieces that a text's tokens are counted by. All of the text but its white space is in one. */
export function toPieces(text: string): { text: string; tokens: number }[] {
  return Array.from(text.matchAll(PIECE), ([piece]) => ({ text: piece, tokens: tokensOf(piece) }));
}

function tokensOf(piece: string): number {
  if (piece.length === 1) return 1;
  const isLatin = /^[a-z\p{Script=Latin}]/iu.test(piece);
  if (piece.length > 100 && (isLatin || !/\p{Script=Han}/u.test(piece))) return Math.ceil(piece.length / 100);
  if (/^\p{N}/u.test(piece)) return Math.ceil(piece.length / 3);
  if (!isLatin) return piece.length;
  return piece.length <= 7 ? 1 : 1 + Math.ceil((piece.length - 7) / 4);
}
