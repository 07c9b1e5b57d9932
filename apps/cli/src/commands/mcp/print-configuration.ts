import { type Configuration, readConfiguration, readPlaces } from '../../config.js';
import { CHATGPT, clients, findClient, type Launch, wholeFile } from '../../mcp-clients/clients.js';
import { print, printJson } from '../../terminal/output.js';
import { InvalidOptionError } from '../command.js';
import { ownLaunch } from './launch.js';

export const clientNames = [...Object.keys(clients), CHATGPT];

/** Prints what goes into a client's file to standard output, and where that is to standard error. */
export function printConfiguration(name: string): void {
  if (name === CHATGPT) {
    print(describeChatGpt(ownLaunch(), readConfiguration()));
    return;
  }
  const client = findClient(name);
  if (client === undefined) throw new InvalidOptionError(`--print-config takes one of: ${clientNames.join(', ')}.`);
  printJson(wholeFile(client, ownLaunch()));
  process.stderr.write(
    `It goes into ${client.file(readPlaces())}, beside what is there; recollect mcp install ${name} puts it in. ${client.afterwards}\n`,
  );
}

/** ChatGPT runs elsewhere, so it needs a way in: a tunnel of its maker's, or an address of the user's with a key. */
function describeChatGpt({ command, args, env }: Launch, { policy }: Configuration): string {
  const settings = Object.entries(env).flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`]));
  const start = [...(settings.length === 0 ? [] : ['env', ...settings]), command, ...args];
  const address = policy.publicUrl?.origin ?? 'https://YOUR-TUNNEL.example';
  return [
    "With OpenAI's tunnel-client, which connects outwards and opens nothing (TUNNEL is the id that OpenAI gave you):",
    `  tunnel-client init --sample sample_mcp_stdio_local --profile recollect --tunnel-id TUNNEL --mcp-command "${start.map(quoted).join(' ')}"`,
    '  tunnel-client run --profile recollect',
    '',
    'With a tunnel or proxy of your own, and a key:',
    ...(policy.publicUrl === null ? [`  RECOLLECT_PUBLIC_URL=${address} npm start`] : []),
    '  recollect keys create --name chatgpt --scope memory:read --scope capture:write --expires 90d',
    `  Server URL in ChatGPT: ${address}/api/mcp`,
    '  Authentication in ChatGPT: the key, as bearer token',
    '',
    'docs/getting-started/mcp.md says what each of them means.',
  ].join('\n');
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
