import { join } from 'node:path';

/** The weights in the folder of a model. Where transformers.js looks for them, since models are published that way. */
export const WEIGHTS = join('onnx', 'model_quantized.onnx');
