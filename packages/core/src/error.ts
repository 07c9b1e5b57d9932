import type { FieldError, ProblemCode } from '@recollect/contract';

/** A lease has expired or another runner holds it. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('The lease is lost: another runner took over the work, or it was cancelled.');
  }
}

/**
 * An error that a person can act on. `detail` says what is wrong and what to do, and never echoes the input.
 *
 * @example
 * throw new RecollectError('VALIDATION_FAILED', 'limit must be at least 1.', {
 *   errors: [{ pointer: '/limit', message: 'must be at least 1' }],
 * });
 */
export class RecollectError extends Error {
  override readonly name = 'RecollectError';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  /** Members added to the problem document, such as the memories that were saved before the model failed. */
  readonly extension: Readonly<Record<string, unknown>>;
  /** Seconds until a retry makes sense; null if unknown. */
  readonly retryAfter: number | null;
  /**
   * Whether the same call may succeed later, as in the AI SDK's `APICallError`. True unless something says otherwise.
   */
  readonly isRetryable: boolean;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly FieldError[] | undefined;
      extension?: Readonly<Record<string, unknown>> | undefined;
      retryAfter?: number | undefined;
      isRetryable?: boolean | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.extension = options.extension ?? {};
    this.retryAfter = options.retryAfter ?? null;
    this.isRetryable = options.isRetryable ?? true;
  }
}

/** A model does not accept a text, and would not accept it later. The other texts of the call may be fine. */
export class TextRejectedError extends RecollectError {
  constructor(detail: string, options: { cause?: unknown } = {}) {
    super('EMBEDDING_FAILED', detail, { ...options, isRetryable: false });
  }
}
