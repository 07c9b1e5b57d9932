/** Tracks when captures arrive, for work that should wait until there are none. */
export interface CaptureActivity {
  /** A capture has begun. */
  begin(): void;
  /** A capture has ended, and may have triggered hooks. */
  announce(): void;
  /** Milliseconds since the last capture began. */
  quietFor(): number;
  /** Whether a capture has ended since the last call. */
  consumeAnnouncement(): boolean;
}

export function createCaptureActivity(): CaptureActivity {
  let last = Number.NEGATIVE_INFINITY;
  let isAnnounced = false;
  return {
    begin() {
      last = performance.now();
    },
    announce() {
      isAnnounced = true;
    },
    quietFor: () => performance.now() - last,
    consumeAnnouncement() {
      const wasAnnounced = isAnnounced;
      isAnnounced = false;
      return wasAnnounced;
    },
  };
}
