import { estimateTokens } from './estimate-tokens.js';

/** Chunk sizes in estimated tokens. The default model reads 256, of which the title and the overlap take their share. */
const TARGET = 200;
const MAXIMUM = 230;

/** Ends of sentences and lines. Closing quotes and brackets stay with their sentence. */
const SENTENCE = /[^\n.!?。！？]*(?:[.!?]+["'”’)\]]*(?=\s)|[。！？]+[”’」』）]*|[.!?]+|\n)?\s*/gy;
const WORD = /\S+|\s+/gy;

/**
 * Cuts a text into chunks of at most {@link MAXIMUM} estimated tokens, of about equal size, at the ends of sentences
 * where that is possible, else at words, else anywhere but within a character. The chunks joined are the text.
 */
export function splitIntoChunks(text: string): string[] {
  const pieces = toSentences(text);
  const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  if (total <= MAXIMUM) return [text];
  const share = total / Math.ceil(total / TARGET);
  const chunks: string[] = [];
  let chunk = '';
  let tokens = 0;
  for (const piece of pieces) {
    const startsSection = /^#{1,6} /.test(piece.text) && tokens > share / 2;
    const isFull = tokens + piece.tokens / 2 > share || tokens + piece.tokens > MAXIMUM;
    if (chunk !== '' && (isFull || startsSection)) {
      chunks.push(chunk);
      chunk = '';
      tokens = 0;
    }
    chunk += piece.text;
    tokens += piece.tokens;
  }
  // A chunk of white space alone has nothing to find.
  if (chunk.trim() === '' && chunks.length > 0) chunks[chunks.length - 1] += chunk;
  else chunks.push(chunk);
  return chunks;
}

interface Piece {
  text: string;
  tokens: number;
}

function toSentences(text: string): Piece[] {
  return cutWith(SENTENCE, text).flatMap((sentence) => {
    const tokens = estimateTokens(sentence);
    return tokens <= TARGET ? [{ text: sentence, tokens }] : groupWords(sentence);
  });
}

/** A sentence too long for a chunk, as runs of words of at most {@link TARGET} tokens. */
function groupWords(sentence: string): Piece[] {
  const runs: Piece[] = [];
  let run: Piece = { text: '', tokens: 0 };
  for (const word of cutWith(WORD, sentence)) {
    for (const part of cutLongWord(word)) {
      if (run.text !== '' && run.tokens + part.tokens > TARGET) {
        runs.push(run);
        run = { text: '', tokens: 0 };
      }
      run = { text: run.text + part.text, tokens: run.tokens + part.tokens };
    }
  }
  return run.text === '' ? runs : [...runs, run];
}

/**
 * A word too long for a chunk, as CJK text without spaces may be: in equal parts, never within a surrogate pair, and
 * those again of which one holds more than its share.
 */
function cutLongWord(word: string): Piece[] {
  const tokens = estimateTokens(word);
  if (tokens <= TARGET) return [{ text: word, tokens }];
  const parts = Math.ceil(tokens / TARGET) + 1;
  const bounds = Array.from({ length: parts + 1 }, (_, part) =>
    wholeAt(word, Math.round((word.length * part) / parts)),
  );
  return bounds.slice(1).flatMap((end, at) => (end === bounds[at] ? [] : cutLongWord(word.slice(bounds[at], end))));
}

/** The place itself, or the one before it within a surrogate pair. */
function wholeAt(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0 ? at - 1 : at;
}

function cutWith(pattern: RegExp, text: string): string[] {
  const parts: string[] = [];
  const sticky = new RegExp(pattern);
  while (sticky.lastIndex < text.length) {
    const match = sticky.exec(text)?.[0];
    if (!match) throw new Error('The pattern must match at every place.');
    parts.push(match);
  }
  return parts;
}
