/** When captures come in, for work that would rather wait until there are none. */
export interface CaptureActivity {
  /** A capture has begun. */
  begin(): void;
  /** A capture has set off hooks. */
  announce(): void;
  /** Milliseconds since the last capture began. */
  quietFor(): number;
  /** Resolves when hooks were set off since it resolved last. */
  announced(): Promise<void>;
}

export function createCaptureActivity(): CaptureActivity {
  let last = Number.NEGATIVE_INFINITY;
  let next = Promise.withResolvers<void>();
  return {
    begin() {
      last = performance.now();
    },
    announce() {
      next.resolve();
    },
    quietFor: () => performance.now() - last,
    async announced() {
      await next.promise;
      next = Promise.withResolvers();
    },
  };
}
