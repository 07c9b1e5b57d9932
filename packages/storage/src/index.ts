// Before anything loads a native module.
import './require-node.js';

export { actAs, actingUser, EVERYONE } from './acting-user.js';
export type {
  Connected,
  Connections,
  Database,
  SqlDialect,
  StorageDialect,
  TextIndexTable,
  TextKey,
  TextRow,
  VectorIndexTable,
  VectorKey,
  VectorRow,
} from './dialect.js';
export { dialectOf } from './dialects.js';
export { hasFilter, matchingMemories } from './memories/filter.js';
export {
  type Moved,
  type MoveOptions,
  type MoveSide,
  moveStore,
  openSource,
  openTarget,
} from './move/move-store.js';
export type { SourceStore, TargetStore } from './move/moving.js';
export { openStorage, type Storage, type StorageOptions } from './open-storage.js';
export type { OpenConnections, OpenDatabase } from './postgres/connections.js';
export { createPostgresDialect } from './postgres/dialect.js';
export { COORDINATOR_TABLES, COPIED_TABLES, type Distribution, distributeStore } from './postgres/distribute.js';
export { explained } from './postgres/explained-dialect.js';
export { checkServer } from './postgres/server-check.js';
export { withUserSetting } from './postgres/user-setting.js';
export type { Comparison } from './sqlite/backup/compare-files.js';
export type { FileProblem, Inspection } from './sqlite/backup/inspect-file.js';
export { openReplacement, type StoreReplacement } from './sqlite/backup/restore-store.js';
export { openDoctor } from './sqlite/doctor/open-doctor.js';
export type { SalvagedSearch } from './sqlite/salvage/read-rows.js';
export { openSalvage, type Salvage, type Salvaged } from './sqlite/salvage/salvage.js';
export { makeFolder } from './sqlite/store-file.js';
export { type StoreKind, storeKindOf } from './store-kind.js';
export { type Refusal, StoreRefusedError } from './store-refused-error.js';
export type { Tables, Trx } from './tables.js';
