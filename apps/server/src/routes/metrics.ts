import { type App, bindOperation } from '../bind-operation.js';
import type { Metrics } from '../metrics/metrics.js';

/** SYS-8. */
export function metricsRoutes(app: App, metrics: Metrics): void {
  bindOperation(app, 'metrics', ({ identity: { userId } }) => metrics.read(userId));
}
