import type { Core } from '../create-core.js';
import { fetchOperations } from './fetch-operations.js';
import {
  captureOperation,
  changeOperations,
  highlightOperations,
  importOperations,
  memoryOperations,
  queryOperations,
  savedSearchOperations,
} from './memory-operations.js';
import { peopleOperations } from './people-operations.js';
import { shareOperations } from './share-operations.js';
import { accessOperations, pluginOperations, stateOperations } from './state-operations.js';

export type Operations = ReturnType<typeof createOperations>;

/** The operations that need nothing but core. */
export type CoreOperationId = keyof Operations;

/**
 * The operations of the interface as calls of core, for the server's routes and for commands without a server, so that
 * both do the same. The caller has validated the input and knows who calls. `stopping` cancels long work.
 *
 * @example
 * const operations = createOperations(core, { version, stopping });
 * const memory = await operations.getMemory({ ...call, parameters: { id } });
 */
export function createOperations(core: Core, options: { version: string; stopping: AbortSignal }) {
  return {
    ...captureOperation(core.capture),
    ...queryOperations(core),
    ...memoryOperations(core.memories, core.trash),
    ...changeOperations(core),
    ...fetchOperations(core.fetches),
    ...highlightOperations(core.highlights),
    ...importOperations(core.imports),
    ...savedSearchOperations(core.savedSearches),
    ...shareOperations(core),
    ...stateOperations(core, options),
    ...pluginOperations(core, options),
    ...accessOperations(core),
    ...peopleOperations(core),
  };
}
