import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';

/** Limits of the word cache. Texts repeat words, and a lookup takes a hundredth of the time of counting. */
const KEPT = { words: 50_000, length: 40 };
/** Runs without white space, such as CJK text and encoded data, are counted in parts of this many characters. */
const PART = 200;

/**
 * Makes a function that counts the tokens of a text with a model's own tokenizer, word by word. The sum is exact for tokenizers
 * that split at white space first (WordPiece, and SentencePiece as in XLM-R), and approximate for others. Loading the tokenizer
 * takes about 0.1 s and happens on first use, since most commands count nothing.
 *
 * @example
 * const countTokens = createTokenCounter(minilm.folder);
 * countTokens(''); // 0
 *
 * @param folder the model's folder, with tokenizer.json and tokenizer_config.json
 */
export function createTokenCounter(folder: string): (text: string) => number {
  let tokenizer: Tokenizer | null = null;
  const known = new Map<string, number>();

  const encode = (text: string): number => {
    tokenizer ??= loadTokenizer(folder);
    return tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  };

  const countWord = (word: string): number => {
    const kept = known.get(word);
    if (kept !== undefined) return kept;
    let tokens = 0;
    for (let at = 0; at < word.length; at += PART) tokens += encode(word.slice(at, at + PART));
    if (word.length > KEPT.length) return tokens;
    if (known.size >= KEPT.words) known.clear();
    known.set(word, tokens);
    return tokens;
  };

  return (text) => (text.match(/\S+/g) ?? []).reduce((sum, word) => sum + countWord(word), 0);
}

function loadTokenizer(folder: string): Tokenizer {
  // Loaded here and not imported, so that commands that count nothing do not wait for it.
  const library: typeof import('@huggingface/tokenizers') = createRequire(import.meta.url)('@huggingface/tokenizers');
  const [tokenizer, configuration] = ['tokenizer.json', 'tokenizer_config.json'].map((file) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')),
  );
  return new library.Tokenizer(tokenizer, configuration);
}
