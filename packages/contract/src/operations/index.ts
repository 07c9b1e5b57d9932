import type { Static, TSchema } from 'typebox';
import type { Loose } from '../schema.js';
import { accessOperations } from './access.js';
import { backupOperations } from './backups.js';
import { changeOperations } from './changes.js';
import { clientOperations } from './clients.js';
import { fetchOperations } from './fetches.js';
import { highlightOperations } from './highlights.js';
import { memoryOperations } from './memories.js';
import { pageOperations } from './pages.js';
import { peopleOperations } from './people.js';
import { pluginOperations } from './plugins.js';
import { savedSearchOperations } from './saved-searches.js';
import { shareOperations } from './shares.js';
import { stateOperations } from './state.js';
import { transferOperations } from './transfer.js';

/** The table of operations. The server's routes, the OpenAPI document and the docs page are generated from it. */
export const operations = {
  ...memoryOperations,
  ...changeOperations,
  ...fetchOperations,
  ...highlightOperations,
  ...savedSearchOperations,
  ...shareOperations,
  ...transferOperations,
  ...stateOperations,
  ...backupOperations,
  ...pluginOperations,
  ...peopleOperations,
  ...accessOperations,
  ...clientOperations,
  ...pageOperations,
};

export type OperationId = keyof typeof operations;
type Part<Id extends OperationId, Key extends string> =
  (typeof operations)[Id] extends Record<Key, infer S extends TSchema> ? Loose<Static<S>> : undefined;

export type ScopeOf<Id extends OperationId> = (typeof operations)[Id]['scope'];
export type BodyOf<Id extends OperationId> = Part<Id, 'body'>;
export type QueryOf<Id extends OperationId> = Part<Id, 'query'>;
export type ParametersOf<Id extends OperationId> = Part<Id, 'parameters'>;

type AnswerSchemas<Id extends OperationId> = (typeof operations)[Id]['answers'];
/** The body of any successful response; undefined if it is empty. */
export type ResponseOf<Id extends OperationId> = {
  [Status in keyof AnswerSchemas<Id>]: AnswerSchemas<Id>[Status] extends infer S extends TSchema
    ? Static<S>
    : undefined;
}[keyof AnswerSchemas<Id>];
