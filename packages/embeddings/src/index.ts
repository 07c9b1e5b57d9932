export { changedFiles } from './changed-files.js';
export { type HttpModelOptions, openHttpModel } from './http-model.js';
export { type LocalModel, type LocalModelOptions, openLocalModel } from './local-model.js';
export { type LocalRerankerOptions, openLocalReranker } from './local-reranker.js';
export { type ModelFolder, readModelFolder } from './model-folder.js';
export type { ModelRecipe } from './model-recipe.js';
export type { RerankerRecipe } from './reranker-recipe.js';
