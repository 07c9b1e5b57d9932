export { openStorage, type Storage, type StorageOptions, StoreTooNewError } from './open-storage.js';
