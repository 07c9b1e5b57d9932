import { setPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import { env, LogLevel, mean_pooling, pipeline, type Tensor } from '@huggingface/transformers';
import { signsOf } from '@recollect/vector-scan';
import { answerRequests } from './answer-requests.js';
import type { Embedded, ModelThreadOptions, TextToEmbed } from './model-messages.js';
import { poolVectors } from './pool-vectors.js';
import { pickTokenVectors } from './token-vectors.js';

const { folder, recipe, givesTokens, isBackground } = workerData as ModelThreadOptions;

// A backlog takes every processor for minutes. On Linux this is the priority of this thread alone, and with it the median of a
// search meanwhile was 24 ms instead of 31; elsewhere it would be that of the whole process.
if (isBackground && process.platform === 'linux') setPriority(0, 15);

env.allowRemoteModels = false;
env.localModelPath = dirname(folder);
env.logLevel = LogLevel.ERROR;

const embed = await pipeline('feature-extraction', basename(folder), {
  dtype: 'q8',
  device: 'cpu',
  session_options: {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  },
});

/** Token vectors of a passage that are kept: those of the shipped model take 2 KB. docs/retrieval.md has what pooling costs. */
const MOST_PASSAGE_VECTORS = 42;

const { prefixes, pooling, isNormalised } = recipe;
const vocabulary = {
  pieceOf: new Map(Array.from(embed.tokenizer.get_vocab(), ([piece, id]) => [id, piece])),
  special: new Set(embed.tokenizer.convert_tokens_to_ids(embed.tokenizer.all_special_tokens)),
};
const prefixLengths = {
  query: embed.tokenizer.tokenize(prefixes.query).length,
  document: embed.tokenizer.tokenize(prefixes.document).length,
};

async function embedText({ text, purpose }: TextToEmbed): Promise<Embedded> {
  const inputs = embed.tokenizer([prefixes[purpose] + text], { padding: true, truncation: true });
  const { last_hidden_state: states } = (await embed.model(inputs)) as { last_hidden_state: Tensor };
  const pooled = pooling === 'mean' ? mean_pooling(states, inputs.attention_mask) : states.slice(null, 0);
  const { data } = isNormalised ? pooled.normalize(2, -1) : pooled;
  const vector = Float32Array.from(data as Float32Array);
  const none = { vector, tokens: new Float32Array(), signs: new Uint8Array() };
  if (!givesTokens) return none;
  const ids = Array.from(inputs.input_ids.data as BigInt64Array, Number);
  const hidden = { ids, states: states.data as Float32Array, prefixLength: prefixLengths[purpose] };
  const tokens = pickTokenVectors(vocabulary, hidden, { mergesEqual: purpose === 'document' });
  if (purpose === 'query') return { ...none, tokens };
  return { ...none, signs: signsOf(poolVectors(tokens, vector.length, MOST_PASSAGE_VECTORS), vector.length) };
}

answerRequests<TextToEmbed, Embedded>({
  compute: embedText,
  moves: ({ vector, tokens, signs }) => [vector.buffer, tokens.buffer, signs.buffer],
  dispose: () => embed.dispose(),
});
