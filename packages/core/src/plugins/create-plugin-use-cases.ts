import type { CaptureUseCase } from '../capture/capture.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { QueryUseCase } from '../retrieval/query.js';
import { createAnswerPlugin } from './answer-plugin.js';
import { createCallPlugin } from './call-plugin.js';
import { createCatalogue } from './catalogue.js';
import { createEvents, type Events } from './deliver-events.js';
import { createJobs, type Jobs } from './jobs.js';
import { createPlugins, type Plugins } from './plugins.js';

/** The dependencies of plugins, their jobs and their events. */
export type PluginPorts = Omit<CorePorts, 'indexingJobs' | 'apiKeys' | 'articleExtractor'>;

export interface PluginUseCases {
  plugins: Plugins;
  jobs: Jobs;
  events: Events;
}

/**
 * Makes the use cases that manage plugins, run their jobs and deliver their events. Plugins save and search by the
 * given use cases.
 */
export function createPluginUseCases(
  ports: PluginPorts,
  useCases: { capture: CaptureUseCase; query: QueryUseCase },
): PluginUseCases {
  const catalogue = createCatalogue(ports);
  const callPlugin = createCallPlugin(ports, createAnswerPlugin(ports, useCases));
  return {
    plugins: createPlugins(ports, catalogue),
    jobs: createJobs(ports, catalogue, callPlugin),
    events: createEvents(ports, catalogue, callPlugin),
  };
}
