import type { ScoredPiece } from './compact-unigram.js';

/** The content of tokenizer.json, in the format of the tokenizers library. */
export interface TokenizerData {
  model: { type?: string; unk_id?: number | null; vocab?: unknown };
  added_tokens: readonly { id: number; content: string; special: boolean }[];
}

/**
 * Where the pieces of a Unigram model begin; other models have an object there. Within a string, quotes are escaped.
 */
const BEGINNING = /"vocab"\s*:\s*\[/;
const PIECE = /\s*\[\s*("(?:[^"\\]|\\.)*")\s*,\s*([-+.\deE]+)\s*\]\s*,?/y;

/**
 * Reads tokenizer.json. The vocabulary of a Unigram model is read apart, piece by piece: as a part of the rest, its
 * 146,734 arrays make each thread that reads it 30 MB larger for good.
 *
 * @returns the data without that vocabulary; `vocabulary` is null for other models
 */
export function readTokenizerData(json: string): { data: TokenizerData; vocabulary: Iterable<ScoredPiece> | null } {
  const found = BEGINNING.exec(json);
  if (found === null) return { data: JSON.parse(json), vocabulary: null };
  const begin = found.index + found[0].length;
  const end = endOfPieces(json, begin);
  const data: TokenizerData = JSON.parse(json.slice(0, begin) + json.slice(end));
  const { type, vocab } = data.model;
  // Remaining data was not read.
  const isRead = type === 'Unigram' && Array.isArray(vocab) && vocab.length === 0;
  return isRead ? { data, vocabulary: piecesIn(json, begin) } : { data: JSON.parse(json), vocabulary: null };
}

function endOfPieces(json: string, begin: number): number {
  let end = begin;
  PIECE.lastIndex = begin;
  while (PIECE.test(json)) end = PIECE.lastIndex;
  return end;
}

function* piecesIn(json: string, begin: number): Iterable<ScoredPiece> {
  let at = begin;
  for (;;) {
    PIECE.lastIndex = at;
    const [whole, piece, score] = PIECE.exec(json) ?? [];
    if (whole === undefined) return;
    at += whole.length;
    yield [JSON.parse(piece as string), Number(score)];
  }
}
