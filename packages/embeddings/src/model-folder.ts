import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ModelRecipe, vectorRecipe, WEIGHTS } from './model-recipe.js';

const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS];
/** An optional file in the folder that describes the model. */
const PROFILE = 'profile.json';

export interface ModelFolder {
  id: string;
  folder: string;
  recipe: ModelRecipe;
}

/**
 * Reads a local model's folder. The model's id is the folder name and the start of a SHA-256 over everything that
 * changes vectors: the weights, the tokenizer, the configuration and the recipe. Prefixes, pooling and measured figures
 * come from profile.json, if it exists. Throws an error that names what is missing or wrong.
 *
 * @example
 * const model = openLocalModel(await readModelFolder('/home/ann/models/e5-small'));
 */
export async function readModelFolder(path: string): Promise<ModelFolder> {
  const folder = resolve(path);
  for (const file of NEEDED) {
    await access(join(folder, file)).catch(() => {
      throw new Error(`The model folder ${folder} has no ${file}. It must contain ${NEEDED.join(', ')}.`);
    });
  }
  const recipe = readRecipe(
    await readJson(folder, 'config.json'),
    await readJson(folder, 'tokenizer_config.json'),
    await readJson(folder, PROFILE, {}),
  );
  const hash = createHash('sha256');
  for (const file of NEEDED) hash.update(await hashOf(join(folder, file)));
  hash.update(vectorRecipe(recipe));
  return { id: `${basename(folder)}@${hash.digest('hex').slice(0, 12)}`, folder, recipe };
}

const FIELDS = [
  'prefixes',
  'pooling',
  'isNormalised',
  'maxTokens',
  'scripts',
  'similarityFloor',
  'fusionWeight',
  'lateWeight',
];

function readRecipe(config: Json, tokenizer: Json, profile: Json): ModelRecipe {
  // A name with a typing error would be a setting without effect.
  const unknown = Object.keys(profile).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `${PROFILE} in the model folder has an unknown field ${unknown}. It may have ${FIELDS.join(', ')}.`,
    );
  const prefixes = prefixesOf(profile.prefixes ?? {});
  const positions = numberOf(config.max_position_embeddings, 512, 'max_position_embeddings', 'config.json');
  // Tokenizers without a limit have a very large number here.
  const length = numberOf(tokenizer.model_max_length, positions, 'model_max_length', 'tokenizer_config.json');
  return {
    dimensions: dimensionsOf(config),
    maxTokens: Math.min(length, positions, numberOf(profile.maxTokens, positions, 'maxTokens', PROFILE)),
    prefixes: {
      query: textOf(prefixes.query, 'prefixes.query'),
      document: textOf(prefixes.document, 'prefixes.document'),
    },
    pooling: poolingOf(profile.pooling),
    isNormalised: flagOf(profile.isNormalised ?? true, 'isNormalised'),
    scripts: scriptsOf(profile.scripts ?? null),
    similarityFloor: shareOf(profile.similarityFloor, 0, 'similarityFloor'),
    fusionWeight: shareOf(profile.fusionWeight, 0.45, 'fusionWeight'),
    // Token vectors of a model that was not trained for it may rank worse than none.
    lateWeight: shareOf(profile.lateWeight, 0, 'lateWeight'),
  };
}

type Json = Record<string, unknown>;

async function readJson(folder: string, file: string, missing?: Json): Promise<Json> {
  const text = await readFile(join(folder, file), 'utf8').catch((error) => {
    if (missing !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return missing ?? {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Reported below.
  }
  throw new Error(`${file} in the model folder is not a JSON object.`);
}

/** Model types name this differently. The first vector has the number where their configuration does not. */
function dimensionsOf({ hidden_size, dim, n_embd, d_model }: Json): number | null {
  const dimensions = [hidden_size, dim, n_embd, d_model].find((value) => typeof value === 'number');
  return typeof dimensions === 'number' ? dimensions : null;
}

function numberOf(value: unknown, standard: number, name: string, file: string): number {
  const number = value ?? standard;
  if (typeof number === 'number' && number >= 1) return number;
  throw new Error(`${file} in the model folder must have a number ${name} above 0.`);
}

function shareOf(value: unknown, standard: number, name: string): number {
  const share = value ?? standard;
  if (typeof share === 'number' && share >= 0 && share <= 1) return share;
  throw new Error(`${name} in ${PROFILE} of the model folder must be a number from 0 to 1.`);
}

function textOf(value: unknown, name: string): string {
  if (typeof (value ?? '') === 'string') return String(value ?? '');
  throw new Error(`${name} in ${PROFILE} of the model folder must be a string.`);
}

function flagOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error(`${name} in ${PROFILE} of the model folder must be true or false.`);
}

function prefixesOf(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Error(`prefixes in ${PROFILE} of the model folder must be an object with query and document.`);
}

function scriptsOf(value: unknown): readonly string[] | null {
  if (value === null) return null;
  const isList = Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
  if (isList && value.every(isScript)) return value;
  throw new Error(
    `scripts in ${PROFILE} of the model folder must be a list of Unicode scripts, such as ["Latin", "Cyrillic"].`,
  );
}

function isScript(name: string): boolean {
  try {
    return /^\w+$/.test(name) && new RegExp(`\\p{Script=${name}}`, 'u') !== null;
  } catch {
    return false;
  }
}

function poolingOf(value: unknown = 'mean'): ModelRecipe['pooling'] {
  if (value === 'mean' || value === 'cls') return value;
  throw new Error(`pooling in ${PROFILE} of the model folder must be mean or cls.`);
}

/**
 * The files in the folder of a model that are missing or differ from its SHA256SUMS (in the format of `sha256sum`);
 * none if it has no such list.
 *
 * @example
 * await changedFiles(minilm.folder); // [] if it is as it was made
 */
export async function changedFiles(folder: string): Promise<string[]> {
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => '');
  const listed = [...sums.matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(.+)$/gm)];
  const changed: string[] = [];
  for (const [, sum, file = ''] of listed) {
    const actualHash = await hashOf(join(folder, file)).catch(() => null);
    if (actualHash?.toString('hex') !== sum) changed.push(file);
  }
  return changed;
}

async function hashOf(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}
