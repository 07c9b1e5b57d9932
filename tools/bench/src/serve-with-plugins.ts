import { LOCAL_USER } from '@recollect/core';
import { openService } from './open-service.js';

// Runs a service in its own process, so that the cost of its plugins only affects its own captures. The arguments after
// the hook's time limit name the plugins to install: names of plugins that ship, or folders.

const [hookMs = '30000', ...plugins] = process.argv.slice(2);
const service = await openService({ withModel: false, runners: true, hookMs: Number(hookMs) });
for (const plugin of plugins) {
  const from = plugin.includes('/') ? { folder: plugin } : { slug: plugin };
  await service.core.plugins.install(LOCAL_USER, from, { allow: ['network'] });
}
process.on('disconnect', () => void service.close().then(() => process.exit()));
process.send?.(service.address);
