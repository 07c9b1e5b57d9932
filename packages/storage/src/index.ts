export { openStorage, type Storage, type StorageOptions } from './open-storage.js';
export { type Refusal, StoreRefusedError } from './store-refused-error.js';
