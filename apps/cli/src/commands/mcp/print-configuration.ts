import { type Configuration, readConfiguration, readSettingsFolders } from '../../config.js';
import { CHATGPT, clients, findClient, type Launch, newFile } from '../../mcp-clients/clients.js';
import { print, printJson } from '../../terminal/output.js';
import { InvalidOptionError } from '../command.js';
import { ownLaunch } from './launch.js';

export const clientNames = [...Object.keys(clients), CHATGPT];

/** Prints a client's configuration to standard output, and the path of its file to standard error. */
export function printConfiguration(name: string): void {
  if (name === CHATGPT) {
    print(describeChatGpt(ownLaunch(), readConfiguration()));
    return;
  }
  const client = findClient(name);
  if (client === undefined) throw new InvalidOptionError(`--print-config must be one of: ${clientNames.join(', ')}.`);
  printJson(newFile(client, ownLaunch()));
  process.stderr.write(
    `Merge this into ${client.file(readSettingsFolders())}, or run recollect mcp install ${name}. ${client.nextStep}\n`,
  );
}

/** ChatGPT runs remotely, so it needs access to this machine: OpenAI's tunnel, or the user's own URL with a key. */
function describeChatGpt({ command, args, env }: Launch, { policy }: Configuration): string {
  const settings = Object.entries(env).flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`]));
  const start = [...(settings.length === 0 ? [] : ['env', ...settings]), command, ...args];
  const address = policy.publicUrl?.origin ?? 'https://YOUR-TUNNEL.example';
  return [
    "With OpenAI's tunnel-client, which connects outward and opens no port (TUNNEL is your tunnel id from OpenAI):",
    `  tunnel-client init --sample sample_mcp_stdio_local --profile recollect --tunnel-id TUNNEL --mcp-command "${start.map(quoted).join(' ')}"`,
    '  tunnel-client run --profile recollect',
    '',
    'With your own tunnel or proxy and an API key:',
    ...(policy.publicUrl === null ? [`  RECOLLECT_PUBLIC_URL=${address} npm start`] : []),
    '  recollect keys create chatgpt --scope memory:read --scope capture:write --expires 90d',
    `  Server URL in ChatGPT: ${address}/api/mcp`,
    '  Authentication in ChatGPT: the key as a bearer token',
    '',
    'docs/getting-started/mcp.md explains both ways.',
  ].join('\n');
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
