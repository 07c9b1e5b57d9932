export { type HttpModelOptions, openHttpModel } from './http-model.js';
export { type LocalModel, type LocalModelOptions, openLocalModel } from './local-model.js';
export { type LocalRerankerOptions, openLocalReranker } from './local-reranker.js';
export { changedFiles, type ModelFolder, readModelFolder } from './model-folder.js';
export type { ModelRecipe, RerankerRecipe } from './model-recipe.js';
