import { randomUUID } from 'node:crypto';
import { constants, copyFile, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import { RecollectError } from '@recollect/core';
import { createTwoFilesPatch } from 'diff';
import { ConfigurationError, readConfiguration, readPlaces } from '../../config.js';
import { addEntry, UneditableError } from '../../mcp-clients/add-entry.js';
import { CHATGPT, clients, findClient, type McpClient } from '../../mcp-clients/clients.js';
import { inert, print, printJson, style } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { ownLaunch } from './launch.js';

interface Options {
  yes?: boolean;
  json?: boolean;
}

export const addInstall: AddCommand = (mcp) => {
  mcp
    .command('install')
    .description("put the server into a client's settings, after showing what changes")
    .argument('<client>', Object.keys(clients).join(', '))
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON; needs --yes')
    .addHelpText(
      'after',
      '\nA copy of the file is kept beside it, and whatever else is in it stays.\n\nExamples:\n  recollect mcp install claude-desktop\n  recollect mcp install vscode --yes',
    )
    .action(install);
};

async function install(name: string, { yes = false, json = false }: Options): Promise<void> {
  const client = clientOf(name);
  const { mcp, dataFolder } = readConfiguration();
  if (!mcp) throw new ConfigurationError('RECOLLECT_MCP is off. Leave it out to let assistants use the memory.');
  if (json && !yes) throw new InvalidOptionError('--json asks nothing, so it needs --yes.');
  const file = await wholePath(client.file(readPlaces()));
  const before = await readIfThere(file);
  const after = edited(client, name, file, before ?? '');
  if (after === before) {
    if (json) return printJson({ file, isChanged: false, copy: null });
    return print(
      `${client.title} has it already, in ${file}, with the memories in ${dataFolder}. Nothing was changed.`,
    );
  }
  if (!json) showChange(file, before ?? '', after);
  if (!yes && !(await isAgreed(file))) return print('Nothing was changed.');
  const copy = await write(file, before, after);
  if (json) return printJson({ file, isChanged: true, copy });
  print(
    `${client.title} has it now, with the memories in ${dataFolder}.${copy === null ? '' : ` What was there before is in ${copy}.`} ${client.afterwards}`,
  );
}

function clientOf(name: string): McpClient {
  const client = findClient(name);
  if (client !== undefined) return client;
  throw new InvalidOptionError(
    name === CHATGPT
      ? 'ChatGPT has no file on this machine; recollect mcp --print-config chatgpt says how it is set up.'
      : `The client is one of: ${Object.keys(clients).join(', ')}.`,
  );
}

function edited(client: McpClient, name: string, file: string, text: string): string {
  try {
    return addEntry(text, client, ownLaunch());
  } catch (error) {
    if (!(error instanceof UneditableError)) throw error;
    throw new RecollectError(
      'VALIDATION_FAILED',
      `${file} was left as it is: ${error.message}. Mend it, or add by hand what recollect mcp --print-config ${name} prints.`,
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

async function isAgreed(file: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new InvalidOptionError(`Nothing was changed: ${file} is written with --yes.`);
  const answer = await confirm({ message: 'Change the file so?', output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Writes the file whole or not at all, beside a copy of what was there; the copy's path, or null where nothing was. */
async function write(file: string, before: string | null, after: string): Promise<string | null> {
  await mkdir(dirname(file), { recursive: true });
  if ((await readIfThere(file)) !== before) {
    throw new RecollectError(
      'VALIDATION_FAILED',
      `${file} has changed meanwhile, and was left as it is. Close the program that it belongs to, and try again.`,
    );
  }
  const mode = before === null ? 0o600 : (await stat(file)).mode & 0o777;
  if ((mode & 0o200) === 0) throw leftAlone(file, 'it is read-only');
  const copy = before === null ? null : `${file}.${new Date().toISOString().replaceAll(':', '-')}.bak`;
  if (copy !== null) await copyFile(file, copy, constants.COPYFILE_EXCL);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      // The mode of a new file is narrowed by the umask.
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

/** The text of a file; null where there is none. Whatever is no text that can be written back as it was is left alone. */
async function readIfThere(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw leftAlone(file, `it cannot be read (${error.code})`);
  });
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw leftAlone(file, 'it is not UTF-8');
  }
}

/** The file itself, where a link leads to it. */
async function wholePath(file: string): Promise<string> {
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  return isThere
    ? realpath(file).catch(() => {
        throw leftAlone(file, 'it is a link that leads nowhere');
      })
    : file;
}

function leftAlone(file: string, why: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${file} was left as it is: ${why}.`);
}
