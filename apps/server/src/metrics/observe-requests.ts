import { Counter, Histogram, type Registry } from 'prom-client';
import type { App } from '../bind-operation.js';

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts and times the requests of a server by operation. Unknown paths share the operation `none`. */
export function observeRequests(registry: Registry, app: App): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'recollect_http_requests_total',
    help: 'Answered requests, by operation and HTTP status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'recollect_http_request_duration_seconds',
    help: 'Time until a request was answered, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operation: known, operationId: operation = 'none' } = request.routeOptions.config;
    requests.inc({ operation, status: reply.statusCode });
    // A stream lasts as long as its client listens.
    if (known?.produces !== 'text/event-stream') durations.observe({ operation }, reply.elapsedTime / 1_000);
  });
}
