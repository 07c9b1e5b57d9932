/**
 * For `addInitScript`: what the app tells of an action, with its Undo, stays much longer than its ten seconds. On a
 * busy machine, a test takes longer to press it.
 */
export function keepOutcomes(): void {
  const start = window.setTimeout;
  const startLater = (run: () => void, milliseconds?: number, ...more: unknown[]) =>
    start(run, milliseconds === 10_000 ? 240_000 : milliseconds, ...more);
  window.setTimeout = startLater as typeof window.setTimeout;
}
