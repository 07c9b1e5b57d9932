import { fileURLToPath } from 'node:url';
import { carriedSettings } from '../../config.js';
import type { Launch } from '../../mcp-clients/clients.js';

/** How this very program is started by another: whole paths, since clients search no PATH of ours, and the settings of now. */
export function ownLaunch(): Launch {
  const main = fileURLToPath(new URL('../../main.js', import.meta.url));
  return { command: process.execPath, args: [main, 'mcp'], env: carriedSettings() };
}
