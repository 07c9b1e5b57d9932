/** The running calls, so that a later message can cancel one. No other state is kept between messages. */
export interface RunningCalls {
  /** Runs work under a name. Both {@link RunningCalls.cancel} and `outer` abort its signal. */
  run<T>(name: string | null, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels all work under a name. */
  cancel(name: string | null): void;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<AbortController>>();
  return {
    async run(name, outer, work) {
      if (name === null) return work(outer);
      const controller = new AbortController();
      const same = running.get(name) ?? new Set();
      running.set(name, same.add(controller));
      try {
        return await work(AbortSignal.any([outer, controller.signal]));
      } finally {
        same.delete(controller);
        if (same.size === 0) running.delete(name);
      }
    },
    cancel(name) {
      for (const controller of running.get(name ?? '') ?? []) {
        controller.abort(new Error('The client has cancelled the call.'));
      }
    },
  };
}
