import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type AccessPolicy, isExtensionOrigin, isHost, isLoopback } from '@recollect/server/access-policy';
import envPaths from 'env-paths';

/** Where embeddings come from. */
export type EmbeddingsConfiguration =
  | { kind: 'default' }
  | { kind: 'folder'; folder: string }
  | { kind: 'http'; url: string; model: string; key: string | undefined }
  | { kind: 'off' };

export interface Configuration {
  dataFolder: string;
  databaseUrl: string;
  port: number;
  policy: AccessPolicy;
  embeddings: EmbeddingsConfiguration;
  /** Whether the server works off indexing, scheduled jobs and events by itself. */
  runners: boolean;
  /** Whether assistants are answered over the Model Context Protocol. */
  mcp: boolean;
  /** Hosts at which the extension takes a page of OpenClaw for one, with a port or without. */
  openclawHosts: readonly string[];
  /** Limits of a plugin's hook and job, in milliseconds, and of its process, in MB. */
  plugins: { hookMs: number; jobMs: number; memoryMb: number };
}

/** A configuration that is refused; the message says what to set. The process ends with 78 (EX_CONFIG). */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables, the only place that does. Throws {@link ConfigurationError}.
 * docs/configuration.md lists them all.
 */
export function readConfiguration(environment: Environment = process.env): Configuration {
  const read = (name: string) => environment[`RECOLLECT_${name}`]?.trim() || undefined;
  const dataFolder = resolve(read('DATA_DIR') ?? envPaths('recollect', { suffix: '' }).data);
  return {
    dataFolder,
    databaseUrl: `sqlite:${join(dataFolder, 'recollect.db')}`,
    port: readPort(read('PORT')),
    policy: readPolicy(read),
    embeddings: readEmbeddings(read),
    runners: choose('RUNNERS', read('RUNNERS'), ['on', 'off']) !== 'off',
    mcp: choose('MCP', read('MCP'), ['on', 'off']) !== 'off',
    openclawHosts: readOpenclawHosts(read('OPENCLAW_HOSTS')),
    plugins: {
      hookMs: 1_000 * readWhole('PLUGIN_HOOK_SECONDS', read, { default: 30, minimum: 1, maximum: 3_600 }),
      jobMs: 1_000 * readWhole('PLUGIN_JOB_SECONDS', read, { default: 600, minimum: 1, maximum: 86_400 }),
      memoryMb: readWhole('PLUGIN_MEMORY_MB', read, { default: 256, minimum: 32, maximum: 16_384 }),
    },
  };
}

/**
 * The settings that a program which is started by another one needs, to use the same memories and the same model; null for
 * those that are not set. Paths are whole. The key of an embedding service is left out: it belongs in no other program's file.
 */
export function carriedSettings(environment: Environment = process.env): Record<string, string | null> {
  const read = (name: string) => environment[`RECOLLECT_${name}`]?.trim() || null;
  const folder = read('MODEL_DIR');
  // A program that is started from a desktop has none of the shell's other variables.
  const isElsewhere = read('DATA_DIR') !== null || Boolean(environment.XDG_DATA_HOME);
  return {
    RECOLLECT_DATA_DIR: isElsewhere ? readConfiguration(environment).dataFolder : null,
    RECOLLECT_MODEL_DIR: folder === null ? null : resolve(folder),
    ...Object.fromEntries(
      ['EMBEDDINGS', 'EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'].map((name) => [`RECOLLECT_${name}`, read(name)]),
    ),
  };
}

/** Where programs of this user keep their settings: by Windows, by the XDG specification, and Claude Code where it is not at home. */
export interface Places {
  platform: NodeJS.Platform;
  home: string;
  appData: string;
  configHome: string;
  claudeCode: string | null;
}

export function readPlaces(environment: Environment = process.env): Places {
  const home = homedir();
  return {
    platform: process.platform,
    home,
    appData: environment.APPDATA ?? join(home, 'AppData', 'Roaming'),
    configHome: environment.XDG_CONFIG_HOME || join(home, '.config'),
    claudeCode: environment.CLAUDE_CONFIG_DIR || null,
  };
}

/** Names that look like settings of ours and are none: most likely mistyped. */
export function unknownSettings(environment: Environment = process.env): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('RECOLLECT_') && !SETTINGS.includes(name));
}

const SETTINGS = [
  'DATA_DIR',
  'PORT',
  'HOST',
  'AUTH',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'ALLOWED_HOSTS',
  'ALLOWED_ORIGINS',
  'RATE_LIMIT',
  'EMBEDDINGS',
  'EMBEDDINGS_URL',
  'EMBEDDINGS_MODEL',
  'EMBEDDINGS_KEY',
  'MODEL_DIR',
  'RUNNERS',
  'MCP',
  'OPENCLAW_HOSTS',
  'PLUGIN_HOOK_SECONDS',
  'PLUGIN_JOB_SECONDS',
  'PLUGIN_MEMORY_MB',
].map((name) => `RECOLLECT_${name}`);

type Read = (name: string) => string | undefined;

function readWhole(name: string, read: Read, bounds: { default: number; minimum: number; maximum: number }): number {
  const value = read(name);
  const number = Number(value ?? bounds.default);
  if (Number.isInteger(number) && number >= bounds.minimum && number <= bounds.maximum) return number;
  throw new ConfigurationError(`RECOLLECT_${name} must be a whole number from ${bounds.minimum} to ${bounds.maximum}.`);
}

function readPort(value: string | undefined): number {
  const port = Number(value ?? 4545);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ConfigurationError('RECOLLECT_PORT must be a whole number from 0 to 65535.');
}

function readPolicy(read: Read): AccessPolicy {
  // The name may stand for two addresses, and two servers would share one set of limits.
  const bind = (read('HOST') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1').replace(/^localhost$/i, '127.0.0.1');
  const auth = choose('AUTH', read('AUTH'), ['optional', 'required']) ?? 'optional';
  if (isIP(bind) === 0 && !isHost(bind)) {
    throw new ConfigurationError(
      'RECOLLECT_HOST must be an address such as 127.0.0.1 or 0.0.0.0, or a name; no wildcard.',
    );
  }
  if (!isLoopback(bind) && auth !== 'required') {
    throw new ConfigurationError(
      'RECOLLECT_HOST opens the memory to the network. Set RECOLLECT_AUTH=required as well, or leave RECOLLECT_HOST unset.',
    );
  }
  const policy: AccessPolicy = {
    bind,
    auth,
    publicUrl: readPublicUrl(read('PUBLIC_URL')),
    allowedHosts: readList(read('ALLOWED_HOSTS')).map((name) => checkHostName('ALLOWED_HOSTS', name)),
    allowedOrigins: readList(read('ALLOWED_ORIGINS')).map(checkOriginName),
    trustedProxies: readList(read('TRUSTED_PROXIES')).map(checkNetwork),
    limitsRequests: choose('RATE_LIMIT', read('RATE_LIMIT'), ['on', 'off']) !== 'off',
  };
  if (!policy.limitsRequests && !isLoopback(bind)) {
    throw new ConfigurationError(
      'RECOLLECT_RATE_LIMIT=off is for load tests on this machine. Leave RECOLLECT_HOST unset, or leave the limits on.',
    );
  }
  return policy;
}

function readEmbeddings(read: Read): EmbeddingsConfiguration {
  const [url, model, key, folder] = ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_KEY', 'MODEL_DIR'].map(read);
  if (choose('EMBEDDINGS', read('EMBEDDINGS'), ['on', 'off']) === 'off') return { kind: 'off' };
  if (url !== undefined && folder !== undefined) {
    throw new ConfigurationError('Set RECOLLECT_EMBEDDINGS_URL or RECOLLECT_MODEL_DIR, not both.');
  }
  if (folder !== undefined) return { kind: 'folder', folder: resolve(folder) };
  const address = readUrl('EMBEDDINGS_URL', url);
  if (address === null) return { kind: 'default' };
  if (model === undefined) {
    throw new ConfigurationError(
      'RECOLLECT_EMBEDDINGS_URL needs RECOLLECT_EMBEDDINGS_MODEL, the name of the model to ask for.',
    );
  }
  return { kind: 'http', url: address.href, model, key };
}

function choose<T extends string>(name: string, value: string | undefined, choices: readonly T[]): T | undefined {
  const choice = choices.find((known) => known === value);
  if (value === undefined || choice !== undefined) return choice;
  throw new ConfigurationError(`RECOLLECT_${name} must be ${choices.join(' or ')}.`);
}

function readUrl(name: string, value: string | undefined): URL | null {
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new ConfigurationError(`RECOLLECT_${name} must be an http or https address, such as http://127.0.0.1:8080.`);
}

function readPublicUrl(value: string | undefined): URL | null {
  const url = readUrl('PUBLIC_URL', value);
  if (url === null || url.href === `${url.origin}/`) return url;
  throw new ConfigurationError(
    'RECOLLECT_PUBLIC_URL must be an address without a path, such as https://memory.example.',
  );
}

function readList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function readOpenclawHosts(value: string | undefined): string[] {
  const hosts = readList(value).map((name) => checkHostName('OPENCLAW_HOSTS', name));
  return hosts.length === 0 ? ['localhost', '127.0.0.1', '[::1]'] : hosts;
}

function checkHostName(setting: string, name: string): string {
  if (isHost(name) && Number(/:(\d+)$/.exec(name)?.[1] ?? 0) <= 65_535) return name;
  throw new ConfigurationError(
    `RECOLLECT_${setting} takes host names with or without a port, separated by commas, and no wildcard.`,
  );
}

function checkOriginName(name: string): string {
  if (!name.includes('*') && URL.canParse(name) && (new URL(name).origin === name || isExtensionOrigin(name)))
    return name;
  throw new ConfigurationError(
    'RECOLLECT_ALLOWED_ORIGINS takes origins such as https://notes.example, separated by commas, and no wildcard.',
  );
}

/** An address, or a network in CIDR notation that is no larger than a private one. */
function checkNetwork(network: string): string {
  const [address = '', length, ...rest] = network.split('/');
  const [least, bits] = isIP(address) === 4 ? [8, 32] : [7, 128];
  const isLength =
    length === undefined || (/^\d{1,3}$/.test(length) && Number(length) >= least && Number(length) <= bits);
  const isPlain = isIP(address) === 4 || (isIP(address) === 6 && !/^::ffff:/i.test(address));
  if (isPlain && isLength && rest.length === 0) return network;
  throw new ConfigurationError(
    'RECOLLECT_TRUSTED_PROXIES takes addresses such as 127.0.0.1 or networks such as 10.1.0.0/16, separated by commas, and no wildcard.',
  );
}
