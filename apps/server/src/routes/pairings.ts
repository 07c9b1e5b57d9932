import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** KEY-4: a device exchanges a one-time code for its key. It has no identity before that. */
export function pairingRoutes(app: App, { pairings }: Core): void {
  bindOperation(app, 'redeemPairing', async ({ admission, body }) => {
    try {
      return await pairings.redeem(body.code, body.device);
    } catch (error) {
      if (error instanceof RecollectError && error.code === 'PAIRING_CODE_INVALID') admission.countFailure();
      throw error;
    }
  });
}
