import { RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** SYS-1. `check` throws if the store is unusable. */
export function healthRoutes(app: App, check: () => Promise<void>, version: string): void {
  bindOperation(app, 'health', async () => {
    try {
      await check();
    } catch (cause) {
      if (cause instanceof RecollectError) throw cause;
      throw new RecollectError('UNAVAILABLE', 'The store cannot be read at the moment. Try again soon.', { cause });
    }
    return { status: 'ok' as const, version };
  });
}
