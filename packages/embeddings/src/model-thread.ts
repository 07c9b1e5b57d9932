import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { stopWords } from '@recollect/core/threads';
import { signsOf } from '@recollect/in-memory-index';
import { answerRequests, type Embedded, type ModelThreadOptions, type TextToEmbed } from './model-messages.js';

import { openOnnxModel } from './onnx-model.js';
import { poolVectors } from './pool-vectors.js';
import { loadTokenizer } from './tokenizer/load-tokenizer.js';

interface HiddenStates {
  /** The pieces of a text, with prefix and special tokens: their ids and their texts. */
  ids: readonly number[];
  pieces: readonly string[];
  /** For each piece, a vector. */
  states: Float32Array;
  /** Pieces of the prefix. */
  prefixLength: number;
}

/** SentencePiece writes this before a word; WordPiece writes the other before each further piece of one. */
const WORD_START = '▁';
const WORD_PART = '##';

/**
 * Picks the token vectors that late interaction compares, each of length 1, one after the other. Leaves out special
 * pieces, the prefix, stop words and punctuation.
 * If that leaves nothing, leaves out only special pieces and the prefix.
 *
 * For a document, equal pieces become one vector, their mean, which saves space and costs no quality on the sets of
 * docs/retrieval.md.
 */
function pickTokenVectors(
  { ids, pieces, states, prefixLength }: HiddenStates,
  { special, mergesEqual }: { special: ReadonlySet<number>; mergesEqual: boolean },
): Float32Array<ArrayBuffer> {
  const dimensions = states.length / ids.length;
  const textTokens = ids.flatMap((id, at) => (special.has(id) ? [] : [{ id, at }])).slice(prefixLength);
  const telling = textTokens.filter(({ at }) => isTelling(pieces[at] ?? ''));
  const picked = telling.length > 0 ? telling : textTokens;
  const groups = mergesEqual ? [...Map.groupBy(picked, ({ id }) => id).values()] : picked.map((token) => [token]);
  const vectors = new Float32Array(groups.length * dimensions);
  for (const [index, group] of groups.entries()) {
    const sum = vectors.subarray(index * dimensions, (index + 1) * dimensions);
    for (const { at } of group) addUnit(sum, states.subarray(at * dimensions, (at + 1) * dimensions));
    scaleToUnit(sum);
  }
  return vectors;
}

/** Whether a piece is part of a word that says something. */
function isTelling(piece: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(piece)) return false;
  if (piece.startsWith(WORD_PART)) return true;
  return !stopWords.has((piece.startsWith(WORD_START) ? piece.slice(1) : piece).toLowerCase());
}

function addUnit(sum: Float32Array, vector: Float32Array): void {
  const length = lengthOf(vector) || 1;
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number) / length;
}

/** The mean of vectors, one after the other. */
function meanOf(vectors: Float32Array, dimensions: number): Float32Array<ArrayBuffer> {
  const mean = new Float32Array(dimensions);
  const count = vectors.length / dimensions;
  for (let at = 0; at < dimensions; at++) {
    let sum = 0;
    for (let from = at; from < vectors.length; from += dimensions) sum += vectors[from] as number;
    mean[at] = sum / count;
  }
  return mean;
}

function scaleToUnit(vector: Float32Array): void {
  const length = lengthOf(vector) || 1;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
}

/** A loop, because `Math.hypot` over hundreds of arguments takes many times as long. */
function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const component of vector) sum += component * component;
  return Math.sqrt(sum);
}

const { folder, recipe, givesTokens, isBackground } = workerData as ModelThreadOptions;

// A backlog takes every processor for minutes. On Linux this sets the priority of this thread only, which lowered the
// median of concurrent searches from 31 ms to 24. Elsewhere it would set the whole process's.
if (isBackground && process.platform === 'linux') setPriority(0, 15);

const model = await openOnnxModel(folder);
const tokenizer = loadTokenizer(folder);

/**
 * Maximum of token vectors per passage, which is 2 KB with the shipped model.
 * docs/retrieval.md has the cost of pooling.
 */
const MAX_PASSAGE_VECTORS = 42;

/**
 * Tokens that are read of a query. Others wait for its embedding, which takes as long again for each 128 tokens. Models
 * of this size were trained on sequences of 128.
 */
const MAX_QUERY_TOKENS = 128;

const { maxTokens, prefixes, pooling, isNormalised } = recipe;
const mostTokens = { query: Math.min(maxTokens, MAX_QUERY_TOKENS), document: maxTokens };
const prefixLengths = {
  query: tokenizer.encode(prefixes.query, { isBare: true }).ids.length,
  document: tokenizer.encode(prefixes.document, { isBare: true }).ids.length,
};

async function embedText({ text, purpose }: TextToEmbed): Promise<Embedded> {
  const { ids, pieces } = tokenizer.encode(prefixes[purpose] + text);
  if (ids.length > mostTokens[purpose]) ids.length = mostTokens[purpose];
  const states = await model.compute('last_hidden_state', ids);
  const dimensions = states.length / ids.length;
  const vector = pooling === 'mean' ? meanOf(states, dimensions) : states.slice(0, dimensions);
  if (isNormalised) scaleToUnit(vector);
  const none = { vector, tokens: new Float32Array(), signs: new Uint8Array() };
  if (!givesTokens) return none;
  const hidden = { ids, pieces, states, prefixLength: prefixLengths[purpose] };
  const { special } = tokenizer;
  const tokens = pickTokenVectors(hidden, { special, mergesEqual: purpose === 'document' });
  if (purpose === 'query') return { ...none, tokens };
  return { ...none, signs: signsOf(poolVectors(tokens, vector.length, MAX_PASSAGE_VECTORS), vector.length) };
}

answerRequests<TextToEmbed, Embedded>({
  compute: embedText,
  moves: ({ vector, tokens, signs }) => [vector.buffer, tokens.buffer, signs.buffer],
  dispose: () => model.release(),
});
