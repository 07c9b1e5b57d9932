import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import { createUnigram, type ScoredPiece } from './compact-unigram.js';
import { readTokenizerData, type TokenizerData } from './read-tokenizer-data.js';

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
