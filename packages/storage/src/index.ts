export {
  openStorage,
  type Storage,
  type StorageOptions,
  StoreTooNewError,
  StoreUnreadableError,
} from './open-storage.js';
