import type { CoreOperationId, OperationHandler, Operations } from '@recollect/core';
import { type App, bindOperation, type Handler } from '../bind-operation.js';
import type { CaptureActivity } from '../capture-activity.js';
import type { Identity } from '../gate/identify.js';

/** Routes of the operations that need nothing but core. */
export function coreRoutes(app: App, operations: Operations, activity: CaptureActivity): void {
  const { capture, getMemory, ...others } = operations;

  const saves = toHandler<'capture'>(capture);
  bindOperation(app, 'capture', async (input) => {
    activity.begin();
    try {
      return await saves(input);
    } finally {
      activity.announce();
    }
  });

  const reads = toHandler<'getMemory'>(getMemory);
  bindOperation(app, 'getMemory', async (input) => {
    const memory = await reads(input);
    if (memory.warning !== null) app.log.error({ operation: 'getMemory', memory: memory.id }, 'damaged memory');
    return memory;
  });

  for (const [id, operation] of Object.entries(others))
    bindOperation(app, id as CoreOperationId, toHandler(operation as OperationHandler<CoreOperationId>));
}

/** Passes a request on with the identity that the gate found. */
function toHandler<Id extends CoreOperationId>(operation: OperationHandler<Id>): Handler<Id> {
  return ({ identity, admission, ...input }) =>
    // No operation of core is public.
    operation({ ...input, userId: (identity as Identity).userId, actor: admission.actor });
}
