import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

const WEIGHTS = join('onnx', 'model_quantized.onnx');
const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS];

/**
 * A local model's folder with an id: its name and the beginning of its weights' SHA-256, so that other weights under
 * the same name are another model. Throws, naming what is missing, for a folder that holds no model.
 */
export async function readModelFolder(path: string): Promise<{ id: string; folder: string }> {
  const folder = resolve(path);
  for (const file of NEEDED) {
    await access(join(folder, file)).catch(() => {
      throw new Error(`The model folder has no ${file}. It must hold ${NEEDED.join(', ')}.`);
    });
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, WEIGHTS)), hash);
  return { id: `${basename(folder)}@${hash.digest('hex').slice(0, 12)}`, folder };
}
