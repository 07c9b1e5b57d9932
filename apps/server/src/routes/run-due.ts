import type { Core } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** Runs scheduled jobs for cron. They are cancelled only when the server stops, not when the client disconnects. */
export function runDueRoutes(
  app: App,
  { jobs, events }: Core,
  { stopping, report }: { stopping: AbortSignal; report: (work: string, error: unknown) => void },
): void {
  bindOperation(app, 'runDueJobs', async ({ identity, body }) => {
    const answer = await jobs.runDue({ userId: identity.userId, signal: stopping, limit: body?.limit ?? undefined });
    // If cron runs the jobs, it relies on this call for the events too. The response does not wait for them.
    void events.deliver({ signal: stopping }).catch((error) => report('deliver events', error));
    return answer;
  });
}
