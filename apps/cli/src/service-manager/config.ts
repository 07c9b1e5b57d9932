import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigurationError, rejectUnknownSettings } from '../config.js';
import { settings } from '../settings.js';

/** Facts of the user's session that a service is described by. */
export interface Session {
  /** The folder of configuration files (XDG_CONFIG_HOME); empty if it is the usual one. */
  configFolder: string;
  /** The domain or machine of a Windows account. */
  domain: string | undefined;
}

export function readSession(environment: NodeJS.ProcessEnv = process.env): Session {
  return { configFolder: environment.XDG_CONFIG_HOME?.trim() ?? '', domain: environment.USERDOMAIN };
}

const NAME = /^RECOLLECT_[A-Z_]+$/;

/**
 * Reads a file of settings, one `RECOLLECT_NAME=value` a line, into the environment, where a variable that is set
 * already has precedence. Throws ConfigurationError if it cannot be read.
 */
export async function loadSettings(path: string, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`--settings ${path} cannot be read (${error.code ?? error.message}).`);
  });
  for (const [name, value] of Object.entries(parseEnv(content))) {
    if (!NAME.test(name)) throw new ConfigurationError(`${path} sets ${name}. It may only set RECOLLECT_ variables.`);
    environment[name] ??= value;
  }
  rejectUnknownSettings(environment);
}

/**
 * Writes the file of a service's settings, which only its user may read, unless there is one. It gets the settings
 * of the terminal.
 *
 * @returns whether the file was written
 */
export async function writeSettings(path: string, environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const names = settings.map(({ name }) => name);
  const lines = names.flatMap((name) => {
    const value = environment[name]?.trim() ?? '';
    return value === '' ? [] : `${name}=${quoted(name, value)}`;
  });
  const text = [
    '# Settings of the Recollect service: one RECOLLECT_NAME=value a line.',
    '# "recollect help settings" lists them all. "recollect service restart" applies a change.',
    ...lines,
  ];
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, `${text.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A value as `parseEnv` reads it back. */
function quoted(name: string, value: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(value)) return value;
  const quote = ['"', "'", '`'].find((mark) => !value.includes(mark));
  if (quote === undefined) throw new ConfigurationError(`${name} has three kinds of quotation marks. Choose others.`);
  return `${quote}${value}${quote}`;
}
