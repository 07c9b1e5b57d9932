import { flattenCaptures, limits } from '@recollect/contract';
import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

export function captureRoutes(app: App, core: Core): void {
  bindOperation(app, 'capture', async ({ userId, body, request, reply }) => {
    const idempotencyKey = readKey(request.headers['idempotency-key']);
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    const { answer, replayed } = await core.capture(userId, flattenCaptures(body), options);
    if (replayed) reply.header('idempotency-replayed', 'true');
    return answer;
  });
}

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const { idempotencyKeyLength: most } = limits.capture;
  // Node joins repeated headers with a comma, so a comma may mean two keys.
  if (typeof header === 'string' && /^[!-+\--~]+$/.test(header) && header.length <= most) return header;
  throw new RecollectError(
    'VALIDATION_FAILED',
    `Send one Idempotency-Key of 1 to ${most} visible ASCII characters without a comma.`,
  );
}
