import { basename, dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import { AutoModelForSequenceClassification, AutoTokenizer, env, LogLevel, Tensor } from '@huggingface/transformers';
import { answerRequests } from './answer-requests.js';
import type { Pair, RerankerThreadOptions } from './model-messages.js';

const { folder, recipe } = workerData as RerankerThreadOptions;

env.allowRemoteModels = false;
env.localModelPath = dirname(folder);
env.logLevel = LogLevel.ERROR;

const name = basename(folder);
const tokenizer = await AutoTokenizer.from_pretrained(name);
const model = await AutoModelForSequenceClassification.from_pretrained(name, {
  dtype: 'q8',
  device: 'cpu',
  session_options: {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  },
});

/** The ids of [CLS] query [SEP] passage [SEP]. The library would cut off the last one of a long passage. */
function encode({ query, passage }: Pair): { ids: number[]; queryLength: number } {
  const asked = tokenizer.encode(query).slice(0, recipe.maxTokens - 1);
  const [separator = 0] = asked.slice(-1);
  const read = tokenizer.encode(passage, { add_special_tokens: false });
  const ids = [...asked, ...read.slice(0, Math.max(0, recipe.maxTokens - asked.length - 1)), separator];
  return { ids, queryLength: asked.length };
}

async function score(pair: Pair): Promise<number> {
  const { ids, queryLength } = encode(pair);
  const tensorOf = (values: number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const { logits } = (await model({
    input_ids: tensorOf(ids),
    attention_mask: tensorOf(ids.map(() => 1)),
    token_type_ids: tensorOf(ids.map((_, at) => (at < queryLength ? 0 : 1))),
  })) as { logits: Tensor };
  return Number(logits.data[0]);
}

answerRequests<Pair, number>({ compute: score, dispose: () => model.dispose() });
