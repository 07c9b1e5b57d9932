import { fileURLToPath } from 'node:url';
import { settingsForLaunch } from '../../config.js';
import type { Launch } from '../../mcp-clients/clients.js';

/** How another program starts this one: absolute paths, since clients do not use our PATH, and the current settings. */
export function ownLaunch(): Launch {
  const main = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
  return { command: process.execPath, args: [main, 'mcp'], env: settingsForLaunch() };
}
