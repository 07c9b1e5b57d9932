import { RecollectError } from '../error.js';
import type { PluginHost } from '../ports/index.js';

const refuse = async (): Promise<never> => {
  throw new RecollectError('PLUGIN_INVALID', 'Plugins are not supported here.');
};

/** The default when no plugin host is configured: no plugins ship, and none can be installed or started. */
export const noPluginHost: PluginHost = {
  shipped: async () => [],
  add: refuse,
  validateConfiguration: refuse,
  async remove() {},
  call: async () => ({ kind: 'not-started', summary: 'Plugins are not supported here.', details: [] }),
  async close() {},
};
