import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { signsOf } from '@recollect/vector-scan';
import { answerRequests } from './answer-requests.js';
import type { Embedded, ModelThreadOptions, TextToEmbed } from './model-messages.js';
import { openOnnxModel } from './onnx-model.js';
import { poolVectors } from './pool-vectors.js';
import { meanOf, pickTokenVectors, scaleToUnit } from './token-vectors.js';
import { loadTokenizer } from './tokenizer/load-tokenizer.js';

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
const MOST_PASSAGE_VECTORS = 42;

/**
 * Tokens that are read of a query. Others wait for its embedding, which takes as long again for each 128 tokens. Models
 * of this size were trained on sequences of 128.
 */
const MOST_QUERY_TOKENS = 128;

const { maxTokens, prefixes, pooling, isNormalised } = recipe;
const mostTokens = { query: Math.min(maxTokens, MOST_QUERY_TOKENS), document: maxTokens };
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
  return { ...none, signs: signsOf(poolVectors(tokens, vector.length, MOST_PASSAGE_VECTORS), vector.length) };
}

answerRequests<TextToEmbed, Embedded>({
  compute: embedText,
  moves: ({ vector, tokens, signs }) => [vector.buffer, tokens.buffer, signs.buffer],
  dispose: () => model.release(),
});
