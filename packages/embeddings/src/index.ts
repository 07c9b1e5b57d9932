export { type HttpModelOptions, openHttpModel } from './http-model.js';
export { type LocalModel, type LocalModelOptions, openLocalModel } from './local-model.js';
export { type ModelFolder, readModelFolder } from './model-folder.js';
export type { ModelRecipe } from './model-recipe.js';
