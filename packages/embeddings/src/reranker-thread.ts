import { workerData } from 'node:worker_threads';
import { answerRequests, type Pair, type RerankerThreadOptions } from './model-messages.js';

import { openOnnxModel } from './onnx-model.js';
import { loadTokenizer } from './tokenizer/load-tokenizer.js';

const { folder, recipe } = workerData as RerankerThreadOptions;

const model = await openOnnxModel(folder);
const tokenizer = loadTokenizer(folder);

/** The ids of [CLS] query [SEP] passage [SEP]. */
function encode({ query, passage }: Pair): { ids: number[]; queryLength: number } {
  const queryIds = tokenizer.encode(query).ids.slice(0, recipe.maxTokens - 1);
  const [separator = 0] = queryIds.slice(-1);
  const read = tokenizer.encode(passage, { isBare: true }).ids;
  const ids = [...queryIds, ...read.slice(0, Math.max(0, recipe.maxTokens - queryIds.length - 1)), separator];
  return { ids, queryLength: queryIds.length };
}

async function score(pair: Pair): Promise<number> {
  const { ids, queryLength } = encode(pair);
  const segments = ids.map((_, at) => (at < queryLength ? 0 : 1));
  const [logit = 0] = await model.compute('logits', ids, segments);
  return logit;
}

answerRequests<Pair, number>({ compute: score, dispose: () => model.release() });
