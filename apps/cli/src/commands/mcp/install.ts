import { randomUUID } from 'node:crypto';
import { constants, copyFile, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { confirm, isCancel } from '@clack/prompts';
import { RecollectError } from '@recollect/core';
import { publicBaseUrl } from '@recollect/server/access-policy';
import { Argument } from 'commander';
import { createTwoFilesPatch } from 'diff';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
  readSettingsFolders,
  settingsForLaunch,
} from '../../config.js';
import { addEntry, UneditableError } from '../../mcp-clients/add-entry.js';
import { CHATGPT, clients, findClient, type Launch, type McpClient, newFile } from '../../mcp-clients/clients.js';
import { inert, print, printJson, style } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';

interface Options {
  yes?: boolean;
  json?: boolean;
}

export const addInstall: AddCommand = (mcp) => {
  mcp
    .command('install')
    .description("add the server to a client's settings, after showing the change")
    .addArgument(new Argument('<client>', 'whose settings').choices(Object.keys(clients)).argParser(String))
    .option('--yes', 'apply the change without asking')
    .option('--json', 'print JSON; requires --yes')
    .action(install);
};

async function install(name: string, { yes = false, json = false }: Options): Promise<void> {
  const client = requireClient(name);
  const { mcp, dataFolder } = readConfiguration();
  if (!mcp) throw new ConfigurationError('RECOLLECT_MCP is off. Unset it to let assistants use your memories.');
  if (json && !yes) throw new InvalidOptionError('--json cannot ask for confirmation. Add --yes.');
  const file = await resolveLink(client.file(readSettingsFolders()));
  const before = await readIfExists(file);
  const after = editText(client, name, file, before ?? '');
  if (after === before) {
    if (json) return printJson({ file, isChanged: false, copy: null });
    return print(
      `${client.title} is already set up in ${file} with the memories in ${dataFolder}. Nothing was changed.`,
    );
  }
  if (!json) showChange(file, before ?? '', after);
  if (!yes && !(await confirmChange(file))) return print('Nothing was changed.');
  const copy = await write(file, before, after);
  if (json) return printJson({ file, isChanged: true, copy });
  print(
    `${client.title} is set up with the memories in ${dataFolder}.${copy === null ? '' : ` The old file is in ${copy}.`} ${client.nextStep}`,
  );
}

function requireClient(name: string): McpClient {
  const client = findClient(name);
  if (client !== undefined) return client;
  throw new InvalidOptionError(
    name === CHATGPT
      ? 'ChatGPT has no settings file on this machine. To set it up, run: recollect mcp --print-config chatgpt'
      : `Unknown client. Choose one of: ${Object.keys(clients).join(', ')}.`,
  );
}

function editText(client: McpClient, name: string, file: string, text: string): string {
  try {
    return addEntry(text, client, ownLaunch());
  } catch (error) {
    if (!(error instanceof UneditableError)) throw error;
    throw new RecollectError(
      'VALIDATION_FAILED',
      `${file} was not changed: ${error.message}. Fix the file, or add what recollect mcp --print-config ${name} prints.`,
    );
  }
}

function showChange(file: string, before: string, after: string): void {
  const patch = createTwoFilesPatch(file, file, before, after, '', '', { context: 2 });
  const lines = patch.trimEnd().split('\n');
  for (const line of lines.slice(lines.findIndex((other) => other.startsWith('---')))) {
    const format = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim';
    print(style(format, inert(line)));
  }
}

async function confirmChange(file: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new InvalidOptionError(`Nothing was changed. To write ${file}, add --yes.`);
  const answer = await confirm({ message: 'Apply this change?', output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Replaces the file atomically and keeps a copy. Returns the path of the copy, or null if there was no file. */
async function write(file: string, before: string | null, after: string): Promise<string | null> {
  await mkdir(dirname(file), { recursive: true });
  if ((await readIfExists(file)) !== before) {
    throw new RecollectError(
      'VALIDATION_FAILED',
      `${file} has changed in the meantime and was not overwritten. Close the program that uses it, and try again.`,
    );
  }
  const mode = before === null ? 0o600 : (await stat(file)).mode & 0o777;
  if ((mode & 0o200) === 0) throw unchangedError(file, 'it is read-only');
  const copy = before === null ? null : `${file}.${new Date().toISOString().replaceAll(':', '-')}.bak`;
  if (copy !== null) await copyFile(file, copy, constants.COPYFILE_EXCL);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      // The umask narrows the mode of a new file.
      await handle.chmod(mode);
      await handle.writeFile(after);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return copy;
}

/** Reads a file as text; null if it does not exist. Throws for content that could not be written back unchanged. */
async function readIfExists(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unchangedError(file, `it cannot be read (${error.code})`);
  });
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unchangedError(file, 'it is not UTF-8');
  }
}

/** The target of the file if it is a symbolic link, so that the link stays. */
async function resolveLink(file: string): Promise<string> {
  const exists = await lstat(file).then(
    () => true,
    () => false,
  );
  return exists
    ? realpath(file).catch(() => {
        throw unchangedError(file, 'it is a broken symbolic link');
      })
    : file;
}

function unchangedError(file: string, why: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${file} was not changed: ${why}.`);
}

/** How another program starts this one: absolute paths, since clients do not use our PATH, and the current settings. */
export function ownLaunch(): Launch {
  const main = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
  return { command: process.execPath, args: [main, 'mcp'], env: settingsForLaunch() };
}

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
  const address = publicBaseUrl(policy) ?? 'https://YOUR-TUNNEL.example';
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
