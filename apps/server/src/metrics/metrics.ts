import type { Core } from '@recollect/core';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { App } from '../bind-operation.js';
import { observeCore } from './observe-core.js';
import { observeRequests } from './observe-requests.js';
import { createStateGauges } from './state-gauges.js';

/** Counts what the server does, for Prometheus. No label holds anything that a user or client wrote. */
export interface Metrics {
  /** Core, whose captures and queries are counted. */
  core: Core;
  /** Counts and times the requests of a server. Call it before its routes are registered. */
  addTo(app: App): void;
  /** All metrics in the text format of Prometheus. What the store knows is read at this moment. */
  read(userId: string): Promise<string>;
}

/** Starts to count. Every server has its own registry. */
export function createMetrics(core: Core): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = createStateGauges(registry, core);
  return {
    core: observeCore(registry, core),
    addTo: (app) => observeRequests(registry, app),
    async read(userId) {
      await gauges.update(userId);
      return registry.metrics();
    },
  };
}
