import { loadTokenizer, type ModelTokenizer } from './load-tokenizer.js';

/**
 * Words whose counts are kept. Text repeats its words, and looking one up takes a hundredth of the time of tokenizing
 * it.
 */
const CACHE_LIMITS = { words: 50_000, length: 24 };
/** Text without white space in other scripts is tokenized in parts of this many characters. */
const PART = 200;
/** Runs of letters and digits, and each other character. */
const RUN = /[A-Za-z0-9]+|./g;
/** Characters per token in runs that are not words, such as hashes and encoded data. */
const CHARACTERS_PER_TOKEN = 1.6;
/** WordPiece makes a longer run one unknown token (`max_input_chars_per_word`). */
const MAX_RUN_CHARACTERS = 100;

/**
 * Makes a function that counts the tokens of a text with a model's own tokenizer, word by word. The sum is exact for
 * words and short numbers with tokenizers that split at white space first (WordPiece, and SentencePiece as in XLM-R).
 * Hashes, encoded data, long numbers and URLs are counted by their length: there is no end of different ones, so
 * tokenizing each would take longer than embedding the text. The tokenizer is loaded on first use, because most
 * commands count nothing.
 *
 * @param folder the model's folder, with tokenizer.json and tokenizer_config.json
 * @example
 * const countTokens = createTokenCounter(minilm.folder);
 * countTokens('Green tea is steeped.'); // 6
 */
export function createTokenCounter(folder: string): (text: string) => number {
  let tokenizer: ModelTokenizer | null = null;
  const cache = new Map<string, number>();

  const encode = (text: string): number => {
    tokenizer ??= loadTokenizer(folder);
    return tokenizer.encode(text, { isBare: true }).ids.length;
  };

  const lookUp = (word: string): number => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const tokens = encode(word);
    if (cache.size >= CACHE_LIMITS.words) cache.clear();
    // A copy: a part of a text would keep the whole text in memory.
    cache.set(Buffer.from(word).toString(), tokens);
    return tokens;
  };

  const countRun = (run: string): number => {
    if (run.length > MAX_RUN_CHARACTERS) return Math.ceil(run.length / MAX_RUN_CHARACTERS);
    const isWord = /^(?:[A-Za-z]{1,24}|[0-9]{1,4}|[^A-Za-z0-9])$/.test(run);
    return isWord ? lookUp(run) : Math.ceil(run.length / CHARACTERS_PER_TOKEN);
  };

  const countWord = (word: string): number => {
    const isAscii = /^[\x21-\x7e]+$/.test(word);
    if (word.length <= CACHE_LIMITS.length && !(isAscii && /[0-9]/.test(word))) return lookUp(word);
    if (isAscii) return sum(word.match(RUN) ?? [], countRun);
    let tokens = 0;
    for (let at = 0; at < word.length; at += PART) tokens += encode(word.slice(at, at + PART));
    return tokens;
  };

  return (text) => sum(text.match(/\S+/g) ?? [], countWord);
}

function sum(parts: readonly string[], count: (part: string) => number): number {
  return parts.reduce((total, part) => total + count(part), 0);
}
