import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { env, LogLevel, pipeline } from '@huggingface/transformers';
import type { EmbedReply, EmbedRequest, ModelThreadOptions } from './model-messages.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;
const { folder, recipe, threads } = workerData as ModelThreadOptions;

env.allowRemoteModels = false;
env.localModelPath = dirname(folder);
env.logLevel = LogLevel.ERROR;

const embed = await pipeline('feature-extraction', basename(folder), {
  dtype: 'q8',
  device: 'cpu',
  session_options: {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Threads may spin while they compute a text. If they kept spinning, they would take CPU time from the search that follows.
    extra: { session: { force_spinning_stop: '1' } },
  },
});

async function answer({ id, text, purpose }: EmbedRequest): Promise<void> {
  try {
    const { pooling, isNormalised, prefixes } = recipe;
    const { data } = await embed(prefixes[purpose] + text, { pooling, normalize: isNormalised });
    const vector = Float32Array.from(data as Float32Array);
    const reply: EmbedReply = { id, vector };
    port.postMessage(reply, [vector.buffer]);
  } catch (error) {
    const reply: EmbedReply = { id, error: error instanceof Error ? error.message : String(error) };
    port.postMessage(reply);
  }
}

let work = Promise.resolve();
port.on('message', (message: EmbedRequest | 'close') => {
  if (message !== 'close') work = answer(message);
  else void work.then(() => embed.dispose()).then(() => port.close());
});
port.postMessage('ready');
