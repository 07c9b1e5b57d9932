export * from './access.js';
export * from './indexing.js';
export * from './memories.js';
export * from './models.js';
export * from './plugins.js';
export * from './records.js';
export * from './search.js';
export * from './system.js';
