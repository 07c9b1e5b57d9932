import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { WEIGHTS } from './model-recipe.js';

/** A transformer encoder that ONNX Runtime computes with one thread. */
export interface OnnxModel {
  /**
   * Computes one of the model's outputs for the tokens of a text: the numbers of an array of [1, …].
   *
   * @param segments for each token, 0 if it is of the first text, and 1 if of the second; by default, there is one text
   */
  compute(output: string, ids: readonly number[], segments?: readonly number[]): Promise<Float32Array>;
  release(): Promise<void>;
}

/** Opens the weights in the folder of a model. Throws if the runtime cannot read them. */
export async function openOnnxModel(folder: string): Promise<OnnxModel> {
  // By its path: bytes would stay in memory beside the runtime's copy.
  const session = await InferenceSession.create(join(folder, WEIGHTS), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Errors only.
    logSeverityLevel: 3,
  });
  return {
    async compute(output, ids, segments = ids.map(() => 0)) {
      const inputs = { input_ids: ids, attention_mask: ids.map(() => 1), token_type_ids: segments };
      // Not every model tells segments apart.
      const entries = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
      const outputs = await session.run(Object.fromEntries(entries.map(([name, values]) => [name, tensorOf(values)])));
      const computed = outputs[output];
      if (computed !== undefined) return computed.data as Float32Array;
      throw new Error(`The model has no output ${output}. It has ${session.outputNames.join(', ')}.`);
    },
    release: () => session.release(),
  };
}

function tensorOf(values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
}
