import { wholeBoundary } from '@recollect/contract/text';
import { giveTurns } from '../give-turns.js';
import type { ChunkSizes } from './chunk-sizes.js';

/**
 * Sentences and lines. Closing quotes and brackets stay with their sentence. A full stop before anything but white space is part of
 * a word, as in `Node.js`, 3.14 and addresses. After 200 of them, which keeps the stack of the expression small, the sentence ends with
 * its word.
 */
const SENTENCE =
  /[^\n.!?。！？]*(?:[.!?](?!["'”’)\]]*(?:\s|$))[^\n.!?。！？]*){0,200}(?:[.!?]+["'”’)\]]*(?=\s|$)|[。！？]+[”’」』）]*|\n|\S+)?\s*/gy;
const WORD = /\S+|\s+/gy;

/** Characters of a sentence or a word that are counted in one step. Longer ones are cut first, so that no step takes long. */
const LONGEST = { sentence: 1_000, word: 200 };

/** A part of a text that is not cut: a sentence, or words of a long one. */
export interface Piece {
  text: string;
  tokens: number;
}

/**
 * Cuts a text into pieces of at most `target` tokens: sentences, words of those that are longer, and characters of longer words.
 * Joining the pieces gives the text. Other work gets turns in between.
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
    const tokens = sentence.length > LONGEST.sentence ? Number.POSITIVE_INFINITY : sizes.countTokens(sentence);
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

/** The parts of a word with their tokens: the word itself, or, for a long one such as CJK text without spaces, parts that fit. */
function* measureParts(word: string, sizes: ChunkSizes): Generator<Piece> {
  for (let start = 0; start < word.length; ) {
    const end = wholeBoundary(word, start + LONGEST.word);
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
