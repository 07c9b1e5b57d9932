import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';

import { createPieceTrie, type PieceTrie } from './piece-trie.js';

/** A piece with the logarithm of its probability. */
type ScoredPiece = readonly [piece: string, score: number];

/**
 * Log-probability penalty of a character that is not a piece,
 * below the least likely piece (SentencePiece, `kUnkPenalty`).
 */
const UNKNOWN_PENALTY = 10;

/**
 * Splits words into the pieces of a vocabulary whose probabilities have the greatest product (Kudo, "Subword
 * Regularization", ACL 2018), as SentencePiece and the tokenizers library do, in a tenth of the library's memory and
 * time.
 *
 * @example
 * const split = createUnigram([['<unk>', 0], ['▁tea', -8], ['pot', -9]], 0);
 * split.pieces('▁teapot'); // ['▁tea', 'pot']
 *
 * @param vocabulary read once
 * @param unknown the number of the piece that stands for characters in no piece; null if there is none
 * @param special pieces that are never part of a word, although a word may look like one
 */
export function createUnigram(
  vocabulary: Iterable<ScoredPiece>,
  unknown: number | null,
  special: ReadonlySet<string> = new Set(),
) {
  const read: number[] = [];
  const texts = function* () {
    for (const [piece, score] of vocabulary) {
      read.push(score);
      yield special.has(piece) ? '' : piece;
    }
  };
  const trie: PieceTrie = createPieceTrie(texts());
  const scores = Float64Array.from(read);
  const least = scores.reduce((lowest, score) => Math.min(lowest, score), 0) - UNKNOWN_PENALTY;
  if (unknown !== null) scores[unknown] = least;
  return {
    trie,
    /** The pieces of a word, in order. A character that is in no piece becomes a piece. */
    pieces(word: string): string[] {
      // Of the most likely way to each place: its score, and where its last piece begins.
      const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY);
      const begins = new Int32Array(word.length + 1);
      best[0] = 0;
      const reach = (from: number, to: number, score: number) => {
        const total = (best[from] as number) + score;
        if (total <= (best[to] as number)) return;
        best[to] = total;
        begins[to] = from;
      };
      for (let at = 0; at < word.length; at++) {
        // Within a character of two code units, nothing begins.
        if (best[at] === Number.NEGATIVE_INFINITY) continue;
        const width = (word.codePointAt(at) as number) > 0xffff ? 2 : 1;
        let hasCharacter = false;
        trie.find(word, at, (piece, length) => {
          if (length === width) hasCharacter = true;
          reach(at, at + length, scores[piece] as number);
        });
        if (!hasCharacter) reach(at, at + width, least);
      }
      const pieces: string[] = [];
      for (let end = word.length; end > 0; end = begins[end] as number) pieces.push(word.slice(begins[end], end));
      return pieces.reverse();
    },
  };
}

/** The content of tokenizer.json, in the format of the tokenizers library. */
interface TokenizerData {
  model: { type?: string; unk_id?: number | null; vocab?: unknown };
  added_tokens: readonly { id: number; content: string; special: boolean }[];
}

/**
 * Where the pieces of a Unigram model begin; other models have an object there. Within a string, quotes are escaped.
 */
const VOCABULARY_START = /"vocab"\s*:\s*\[/;
const PIECE = /\s*\[\s*("(?:[^"\\]|\\.)*")\s*,\s*([-+.\deE]+)\s*\]\s*,?/y;

/**
 * Reads tokenizer.json. The vocabulary of a Unigram model is read apart, piece by piece: as a part of the rest, its
 * 146,734 arrays make each thread that reads it 30 MB larger for good.
 *
 * @returns the data without that vocabulary; `vocabulary` is null for other models
 */
export function readTokenizerData(json: string): { data: TokenizerData; vocabulary: Iterable<ScoredPiece> | null } {
  const match = VOCABULARY_START.exec(json);
  if (match === null) return { data: JSON.parse(json), vocabulary: null };
  const begin = match.index + match[0].length;
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

/** A model's own tokenizer. */
export interface ModelTokenizer {
  /** The ids of a text's pieces with their texts. `isBare`: without the special tokens around it. */
  encode(text: string, options?: { isBare?: boolean }): { ids: number[]; pieces: string[] };
  /** The ids of tokens that stand for no text. */
  special: ReadonlySet<number>;
}

/**
 * Loads the tokenizer of a model's folder: tokenizer.json and tokenizer_config.json. The library reads them; a
 * vocabulary of SentencePiece is kept in a smaller form than the library's.
 */
export function loadTokenizer(folder: string): ModelTokenizer {
  // Loaded here and not imported, so that commands that count nothing do not wait for it.
  const library: typeof import('@huggingface/tokenizers') = createRequire(import.meta.url)('@huggingface/tokenizers');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const { data, vocabulary } = readTokenizerData(read('tokenizer.json'));
  const configuration = JSON.parse(read('tokenizer_config.json'));
  const tokenizer =
    vocabulary === null
      ? new library.Tokenizer(data, configuration)
      : openUnigram(library, data, configuration, vocabulary);
  const special = data.added_tokens.filter((token) => token.special).map(({ id }) => id);
  return {
    encode(text, { isBare = false } = {}) {
      const { ids, tokens } = tokenizer.encode(text, { add_special_tokens: !isBare });
      return { ids, pieces: tokens };
    },
    special: new Set(special),
  };
}

/** The parts of the library's model that ours takes over. */
interface LibraryModel {
  unk_token_id: number | undefined;
  tokens_to_ids: Map<string, number>;
  encode(words: readonly string[]): string[];
}

/**
 * Opens the library's model for the unknown token alone, and has ours answer in its place. The names of special tokens,
 * such as `<s>`, also occur in texts, where they are words like others.
 */
function openUnigram(
  { Tokenizer }: typeof import('@huggingface/tokenizers'),
  { model, added_tokens, ...data }: TokenizerData,
  configuration: object,
  vocabulary: Iterable<ScoredPiece>,
): Tokenizer {
  const unknown = model.unk_id ?? null;
  const special = added_tokens.filter((token) => token.special);
  const unigram = createUnigram(vocabulary, unknown, new Set(special.map(({ content }) => content)));
  const opened = { ...model, vocab: [['<unk>', 0]], unk_id: 0 };
  const others = added_tokens.filter((token) => !token.special);
  const tokenizer = new Tokenizer({ ...data, added_tokens: others, model: opened }, configuration);
  const ids = new PieceIds(unigram.trie.numberOf);
  for (const { content, id } of added_tokens) ids.set(content, id);
  // The library's types export its models by a path that does not resolve.
  Object.assign(tokenizer.model as unknown as LibraryModel, {
    unk_token_id: unknown ?? undefined,
    tokens_to_ids: ids,
    encode: (words) => words.flatMap((word) => unigram.pieces(word)),
  } satisfies LibraryModel);
  return tokenizer;
}

/** The ids of pieces, looked up instead of listed. Added tokens may be in no vocabulary. */
class PieceIds extends Map<string, number> {
  readonly #idOf: (piece: string) => number | undefined;
  constructor(idOf: (piece: string) => number | undefined) {
    super();
    this.#idOf = idOf;
  }
  override get(piece: string): number | undefined {
    return super.get(piece) ?? this.#idOf(piece);
  }
  override has(piece: string): boolean {
    return this.get(piece) !== undefined;
  }
}
