export { type HttpModelOptions, openHttpModel } from './http-model.js';
export { type LocalModel, type LocalModelOptions, openLocalModel } from './local-model.js';
export { readModelFolder } from './model-folder.js';
