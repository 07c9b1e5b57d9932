import { RecollectError } from '../error.js';
import type { PluginHost } from '../ports/index.js';

const refuse = async (): Promise<never> => {
  throw new RecollectError('PLUGIN_INVALID', 'Plugins do not run here.');
};

/** Stands where there is no place for plugins to run: none ships, none is installed and none starts. */
export const noPluginHost: PluginHost = {
  shipped: async () => [],
  add: refuse,
  judge: refuse,
  async remove() {},
  call: async () => ({ kind: 'not-started', summary: 'Plugins do not run here.', details: [] }),
  async close() {},
};
