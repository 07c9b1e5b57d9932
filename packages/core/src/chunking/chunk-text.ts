import { wholeBoundary } from '@recollect/contract/text';
import { giveTurns } from '../give-turns.js';
import type { EmbeddingModel } from '../ports/index.js';
import { OVERLAP_TOKENS, TITLE_TOKENS } from './embedding-input.js';

import { estimateTokens } from './estimate-tokens.js';

/** Scripts with so many letters that each says about as much as a token. */
const DENSE = ['Han', 'Hiragana', 'Katakana', 'Hangul'];
/**
 * Letters of other scripts in a token: SentencePiece makes .31 to .37 tokens per letter of Russian, Ukrainian,
 * Macedonian and Greek.
 */
const LETTERS_PER_TOKEN = 3;

/**
 * Counts the tokens of a text as a model does, but words in scripts that it does not read by their letters. To a model
 * for English, each Russian letter is a token, so that a chunk of Russian would be two sentences. Full text finds more
 * in chunks of the usual size (docs/languages.md). Such a chunk may have more tokens than the model reads. Its vector
 * says nothing anyway, but where a text is in both kinds of scripts, it lacks the end of what the model could read.
 *
 * @param scripts that the model reads, by their Unicode names; null for all
 * @example
 * const count = countingUnread(['Latin'], countTokens);
 * count('Green tea'); // 2
 * count('Зелёный чай'); // 4
 */
export function countingUnread(
  scripts: readonly string[] | null,
  countTokens: (text: string) => number,
): (text: string) => number {
  if (scripts === null) return countTokens;
  const read = scripts.map((script) => `\\p{Script=${script}}`).join('');
  const letter = `[\\p{L}--[${read}]]`;
  const unread = new RegExp(`${letter}(?:${letter}|\\p{M})*`, 'gv');
  const dense = new RegExp(`[${DENSE.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu');
  return (text) => {
    // Most texts have no others.
    if (!/[^\0-\u024f\u2000-\u206f]/.test(text)) return countTokens(text);
    let tokens = 0;
    const rest = text.replace(unread, (word) => {
      const ofDense = word.match(dense)?.length ?? 0;
      tokens += ofDense + (word.length - ofDense) / LETTERS_PER_TOKEN;
      return ' ';
    });
    return Math.ceil(tokens) + countTokens(rest);
  };
}

/**
 * Splits a text into chunks of at most `maximum` tokens and of about equal size: at the ends of sentences where
 * possible, else at words, else between two characters. Joining the chunks gives the text.
 *
 * @example
 * const chunks = await splitIntoChunks(text, chunkSizesFor(embeddingModel));
 */
export async function splitIntoChunks(text: string, sizes: ChunkSizes): Promise<string[]> {
  return joinIntoChunks(await measureText(text, sizes), sizes);
}

/** Joins pieces into chunks. Takes no time to speak of, so it may be called in a transaction. */
export function joinIntoChunks(pieces: readonly Piece[], sizes: ChunkSizes): string[] {
  const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  if (total <= sizes.maximum) return [pieces.map(({ text }) => text).join('')];
  const share = total / Math.ceil(total / sizes.target);
  const chunks: Piece[] = [];
  let chunk: Piece = { text: '', tokens: 0 };
  for (const { text, tokens } of pieces) {
    const startsSection = HEADING.test(text) && chunk.tokens > share / 2;
    const isFull = chunk.tokens + tokens / 2 > share || chunk.tokens + tokens > sizes.maximum;
    if (chunk.text !== '' && (isFull || startsSection)) {
      chunks.push(chunk);
      chunk = { text: '', tokens: 0 };
    }
    chunk = { text: chunk.text + text, tokens: chunk.tokens + tokens };
  }
  const last = chunks.at(-1);
  if (last !== undefined && isRest(chunk, last, share, sizes)) last.text += chunk.text;
  else chunks.push(chunk);
  return chunks.map(({ text }) => text);
}

/** Whether the remaining text belongs to the chunk before it: white space, or a few words with little meaning. */
function isRest({ text, tokens }: Piece, last: Piece, share: number, { maximum }: ChunkSizes): boolean {
  if (text.trim() === '') return true;
  return !HEADING.test(text) && tokens < share / 4 && last.tokens + tokens <= maximum;
}

const HEADING = /^#{1,6} /;

/**
 * Sentences and lines. Closing quotes and brackets stay with their sentence. A full stop before anything but white
 * space is part of a word, as in `Node.js`, 3.14 and addresses. After 200 of them, which keeps the stack of the
 * expression small, the sentence ends with its word.
 */
const SENTENCE =
  /[^\n.!?。！？]*(?:[.!?](?!["'”’)\]]*(?:\s|$))[^\n.!?。！？]*){0,200}(?:[.!?]+["'”’)\]]*(?=\s|$)|[。！？]+[”’」』）]*|\n|\S+)?\s*/gy;
const WORD = /\S+|\s+/gy;

/**
 * Characters of a sentence or a word that are counted in one step. Longer ones are cut first, so that no step takes
 * long.
 */
const MAX_CHARACTERS = { sentence: 1_000, word: 200 };

/** A part of a text that is not cut: a sentence, or words of a long one. */
export interface Piece {
  text: string;
  tokens: number;
}

/**
 * Cuts a text into pieces of at most `target` tokens: sentences, words of those that are longer, and characters of
 * longer words. Joining the pieces gives the text. Other work gets turns in between.
 */
export async function measureText(text: string, sizes: ChunkSizes, giveTurn = giveTurns()): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const piece of measure(text, sizes)) {
    pieces.push(piece);
    await giveTurn();
  }
  return pieces;
}

function* measure(text: string, sizes: ChunkSizes): Generator<Piece> {
  for (const sentence of cutWith(SENTENCE, text)) {
    const tokens = sentence.length > MAX_CHARACTERS.sentence ? Number.POSITIVE_INFINITY : sizes.countTokens(sentence);
    if (tokens <= sizes.target) yield { text: sentence, tokens };
    else yield* groupWords(sentence, sizes);
  }
}

/** A sentence that is too long for a chunk, as runs of words of at most `target` tokens. */
function* groupWords(sentence: string, sizes: ChunkSizes): Generator<Piece> {
  let run: string[] = [];
  let tokens = 0;
  for (const word of cutWith(WORD, sentence)) {
    for (const part of measureParts(word, sizes)) {
      if (run.length > 0 && tokens + part.tokens > sizes.target) {
        yield { text: run.join(''), tokens };
        run = [];
        tokens = 0;
      }
      run.push(part.text);
      tokens += part.tokens;
    }
  }
  if (run.length > 0) yield { text: run.join(''), tokens };
}

/**
 * The parts of a word with their tokens: the word itself, or, for a long one such as CJK text without spaces, parts
 * that fit.
 */
function* measureParts(word: string, sizes: ChunkSizes): Generator<Piece> {
  for (let start = 0; start < word.length; ) {
    const end = wholeBoundary(word, start + MAX_CHARACTERS.word);
    yield* halve(word.slice(start, end), sizes);
    start = end;
  }
}

function* halve(part: string, sizes: ChunkSizes): Generator<Piece> {
  const tokens = sizes.countTokens(part);
  const middle = wholeBoundary(part, part.length >> 1);
  if (tokens <= sizes.target || middle === 0) yield { text: part, tokens };
  else {
    yield* halve(part.slice(0, middle), sizes);
    yield* halve(part.slice(middle), sizes);
  }
}

function* cutWith(pattern: RegExp, text: string): Generator<string> {
  const sticky = new RegExp(pattern);
  while (sticky.lastIndex < text.length) {
    const match = sticky.exec(text)?.[0];
    if (!match) throw new Error('The pattern must match at every position.');
    yield match;
  }
}

/** Special tokens around a text, such as [CLS] and [SEP]. */
const SPECIAL_TOKENS = 2;
/**
 * Chunks do not grow for models that read more: on Cranfield and on conversations, chunks of 100, 180 and 240 tokens
 * scored within .01 of each other, and a shorter chunk makes a better excerpt.
 */
const MAX_READ_TOKENS = 256;
/** Chunks of a long text are filled to this share of the maximum, so that sentences need not be cut. */
const FILL = 0.9;
/** The median ratio of true to estimated tokens, over Cranfield's abstracts. */
const ESTIMATE_RATIO = 0.88;

/** In tokens of a model. */
export interface ChunkSizes {
  /** The approximate size of the chunks of a long text. */
  target: number;
  maximum: number;
  countTokens(text: string): number;
}

/**
 * The chunk sizes for a model: the tokens that it reads, minus the title, the overlap and the prefix that are embedded
 * with a chunk. Without a model, the sizes for one that reads 256 tokens, counted by an estimate.
 */
export function chunkSizesFor(model: EmbeddingModel | null): ChunkSizes {
  const { maxTokens, countTokens, prefixes, scripts } = model?.profile ?? UNKNOWN_MODEL;
  const reserved = SPECIAL_TOKENS + countTokens(prefixes.document) + TITLE_TOKENS + OVERLAP_TOKENS;
  // A model that reads very few tokens reads only part of each chunk.
  const maximum = Math.max(TITLE_TOKENS, Math.min(maxTokens, MAX_READ_TOKENS) - reserved);
  return { target: Math.floor(FILL * maximum), maximum, countTokens: countingUnread(scripts, countTokens) };
}

const UNKNOWN_MODEL = {
  maxTokens: MAX_READ_TOKENS,
  countTokens: (text: string) => Math.ceil(ESTIMATE_RATIO * estimateTokens(text)),
  prefixes: { document: '' },
  scripts: ['Latin'],
};
