import type { Core } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** The state of the deployment, for its owner. */
export function statusRoutes(app: App, { status }: Core, version: string): void {
  bindOperation(app, 'status', async ({ identity: { userId } }) => ({ version, ...(await status(userId)) }));
}
