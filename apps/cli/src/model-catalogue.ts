import { type ShippedModel, shippedModels } from '@recollect/contract/vocabulary';
import type { ModelCatalogue } from '@recollect/core';
import type { Configuration } from './config.js';
import { modelForLanguage, readModelChoice, shippedModelName, writeModelChoice } from './model-choice.js';

/** The languages that each model that ships reads, by their tags. */
export type LanguagesOfModels = Readonly<Record<ShippedModel, readonly string[]>>;

/**
 * Opens the choice of a model for the store of a configuration.
 *
 * @param onChosen called when a model was chosen that the program does not use
 */
export function openCatalogue(
  { embeddings, modelSettings, dataFolder }: Configuration,
  languages: LanguagesOfModels,
  onChosen: () => void,
): ModelCatalogue {
  const present = embeddings.kind === 'shipped' ? embeddings.model : null;
  let next: ShippedModel | null = null;
  return {
    state: () => ({
      model: present,
      next,
      setting: modelSettings[0] ?? null,
      models: shippedModels.map((name) => ({ name, languages: [...languages[name]] })),
    }),
    async choose(model) {
      await writeModelChoice(dataFolder, { model });
      if (model === (next ?? present)) return;
      next = model;
      onChosen();
    },
  };
}

/**
 * Stores the model of a new store: it stays its model after changes of the system's language or settings.
 * Returns a notice where the language decided, and null otherwise.
 */
export async function recordModel(
  { embeddings, language, modelSettings, dataFolder }: Configuration,
  languages: LanguagesOfModels,
): Promise<string | null> {
  if (readModelChoice(dataFolder) !== null) return null;
  const usual = modelForLanguage(language);
  const model = embeddings.kind === 'shipped' ? embeddings.model : usual;
  // A store without a recorded choice has the English model.
  if (model === 'english' && usual === 'english') return null;
  await writeModelChoice(dataFolder, { model });
  const isByLanguage = language !== null && embeddings.kind === 'shipped' && modelSettings.length === 0;
  return isByLanguage ? describeModel(language, model, languages[model]) : null;
}

function describeModel(language: string, model: ShippedModel, languages: readonly string[]): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language);
  const isRead = languages.includes(/^n[bn]$/.test(language) ? 'no' : language);
  const reads = `It reads ${languages.length} languages${isRead ? '' : `, though not ${name}, which is searched by word`}`;
  return `The language of this system is ${name}, so this store gets ${shippedModelName(model)}. ${reads}. The English one is smaller: recollect model use english.`;
}
