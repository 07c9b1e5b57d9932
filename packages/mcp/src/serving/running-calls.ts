/** The calls that are at work, so that a later message can cancel one. Nothing else is kept between messages. */
export interface RunningCalls {
  /** Does work under a name, with a signal that {@link RunningCalls.cancel} aborts, as `outer` does. */
  run<T>(name: string | null, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  cancel(name: string | null): void;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, AbortController>();
  return {
    async run(name, outer, work) {
      const controller = new AbortController();
      const signal = AbortSignal.any([outer, controller.signal]);
      if (name === null) return work(signal);
      running.set(name, controller);
      try {
        return await work(signal);
      } finally {
        if (running.get(name) === controller) running.delete(name);
      }
    },
    cancel(name) {
      if (name !== null) running.get(name)?.abort(new Error('The client has cancelled the call.'));
    },
  };
}
