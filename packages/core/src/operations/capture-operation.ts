import type { Actor, Capture } from '@recollect/contract';
import { flattenCaptures, pointerInBody } from '@recollect/contract/capture-body';
import { limits } from '@recollect/contract/limits';
import type { CaptureVerb } from '../capture/capture.js';
import { RecollectError } from '../error.js';
import type { OperationHandlers } from './operation-call.js';

export function captureOperation(capture: CaptureVerb): OperationHandlers<'capture'> {
  return {
    async capture({ userId, actor, body, headers, reply }) {
      const idempotencyKey = readKey(headers['idempotency-key']);
      const captures = flattenCaptures(body);
      const by = isOfBookmarklet(actor, captures) ? { ...actor, client: 'bookmarklet' as const } : actor;
      const { answer, failure, replayed } = await capture(userId, captures, { idempotencyKey, by }).catch((error) => {
        throw error instanceof RecollectError ? withPointers(error, body) : error;
      });
      // The interface answers a failed embedding with 500, although the captures are saved (CAP-10).
      if (failure !== null) {
        throw new RecollectError(
          'EMBEDDING_FAILED',
          `${failure.reason} The captures are saved and found by word. An indexing job makes their embeddings later.`,
          { cause: failure.cause, extension: { saved: true, ...answer } },
        );
      }
      if (replayed) reply.header('idempotency-replayed', 'true');
      return answer;
    },
  };
}

/** The bookmarklet's page is also a page of this server. Its captures say so. */
function isOfBookmarklet({ client }: Actor, captures: readonly (Capture | null)[]): boolean {
  return client === 'web' && captures.every((capture) => capture?.metadata?.via === 'bookmarklet');
}

/** The error with pointers into the body as it was sent, in any of the four shapes. */
function withPointers(error: RecollectError, body: unknown): RecollectError {
  if (error.errors.length === 0) return error;
  const errors = error.errors.map(({ pointer, message }) => ({ pointer: pointerInBody(body, pointer), message }));
  return new RecollectError(error.code, error.message, { errors, extension: { ...error.extension }, cause: error });
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
