import { accessSync, constants, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ShippedModel, shippedModels } from '@recollect/contract/vocabulary';
import { writeFileAtomically } from './transfer/write-file.js';

/** @example nameOf('english') // 'the English model' */
export function shippedModelName(model: ShippedModel): string {
  return `the ${model === 'english' ? 'English' : model} model`;
}

/** A model of a store: one that ships, or one in a folder. */
export type ModelChoice = { model: ShippedModel } | { folder: string };

/** The model of a name, or in a folder. */
export function modelNamed(name: string): ModelChoice {
  // There was only one that ships once.
  const modelName = name.toLowerCase() === 'shipped' ? 'english' : name.toLowerCase();
  const model = findShipped(modelName);
  return model === undefined ? { folder: resolve(name) } : { model };
}

/** The value of RECOLLECT_MODEL for a model. */
export function settingOf(choice: ModelChoice): string {
  return 'folder' in choice ? choice.folder : choice.model;
}

/** The model of a new store on a system with this language. */
export function modelForLanguage(language: string | null): ShippedModel {
  return language === null || language === 'en' ? 'english' : 'multilingual';
}

function findShipped(name: unknown): ShippedModel | undefined {
  return shippedModels.find((shipped) => shipped === name);
}

/**
 * The file in the data folder that says which model was chosen for the store: by `recollect model use`, or when it was
 * made.
 */
const pathIn = (dataFolder: string) => join(dataFolder, 'model.json');

/** The model that was chosen for a store; null if none was. Throws if the file cannot be read. */
export function readModelChoice(dataFolder: string): ModelChoice | null {
  const path = pathIn(dataFolder);
  let choice: { model?: unknown; folder?: unknown };
  try {
    choice = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A folder that cannot be used is explained where the store is opened.
    if (code === 'ENOENT' || code === 'ENOTDIR' || !isReachable(dataFolder)) return null;
    throw new Error(`${path} cannot be read: ${message}`);
  }
  const { model, folder } = choice ?? {};
  const shipped = findShipped(model);
  if (shipped !== undefined) return { model: shipped };
  if (typeof folder === 'string' && folder !== '') return { folder };
  throw new Error(`${path} names neither a model that ships (${shippedModels.join(', ')}) nor a folder.`);
}

function isReachable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Chooses a model for a store, from its next start on. */
export async function writeModelChoice(dataFolder: string, choice: ModelChoice): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const line = async function* () {
    yield `${JSON.stringify(choice)}\n`;
  };
  await writeFileAtomically(pathIn(dataFolder), line(), new AbortController().signal);
}
