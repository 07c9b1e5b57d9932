import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { limits } from '@recollect/contract/limits';
import type { ShippedModel } from '@recollect/contract/vocabulary';
import type { AccessPolicy } from '@recollect/server/access-policy';
import envPaths from 'env-paths';
import { closestMatch } from 'leven';
import { type ModelChoice, modelForLanguage, modelNamed, readModelChoice, settingOf } from './model-choice.js';
import { readPolicy, readPort } from './read-policy.js';
import {
  ConfigurationError,
  checkHostName,
  type Read,
  readChoice,
  readInteger,
  readList,
  readUrl,
} from './read-setting.js';
import { settings } from './settings.js';
import { parseStoreUrl, placeOf, STORE_URL } from './store-url.js';
import { systemLanguage } from './system-language.js';

export { ConfigurationError };

/** Where embeddings come from. */
export type EmbeddingsConfiguration =
  | { kind: 'shipped'; model: ShippedModel }
  /**
   * `namedBy`: what an error names in front of it, such as a setting; missing if it was chosen by `recollect model
   * use`.
   */
  | { kind: 'folder'; folder: string; namedBy?: string }
  | { kind: 'http'; url: string; model: string; key: string | undefined }
  | { kind: 'off' };

export interface BackupConfiguration {
  /** Whether the server makes automatic backups. */
  isAutomatic: boolean;
  folder: string;
  /** The file with the passphrase that encrypts backups. Null: they are not encrypted. */
  passphraseFile: string | null;
}

export interface Configuration {
  dataFolder: string;
  /** Whether commands use this folder without any setting. */
  isDefaultFolder: boolean;
  databaseUrl: string;
  /** A replica of the database, on which searches may be done. */
  databaseReadUrl: string | undefined;
  /** Where the store is, as messages name it: the data folder, or the address of a database without its password. */
  storePlace: string;
  /** The folders in which the shell finds commands (PATH). */
  searchPath: string;
  /** Whether the data folder may be on a network file system. */
  allowsNetworkStore: boolean;
  /** Memory for vectors, in MB. */
  vectorMemoryMb: number;
  /** Memory for the index of words, in MB. */
  textMemoryMb: number;
  passageVectors: boolean;
  /** From where the server gets the pages of links: the public internet, private networks also, or nowhere. */
  fetch: 'public' | 'private' | 'off';
  /** Whether careful search is available. */
  careful: boolean;
  /** Milliseconds in which the running server must answer a command. 0: commands open the store themselves. */
  serverWait: number;
  port: number;
  policy: AccessPolicy;
  embeddings: EmbeddingsConfiguration;
  /** The settings that choose the model and override the choice of the store. */
  modelSettings: readonly string[];
  /** The language that the system is set to, by its tag; null if it names none. */
  language: string | null;
  /** Whether the server itself runs indexing, scheduled jobs and events. */
  runners: boolean;
  /** Folders whose files the server keeps in step with their memories. */
  watched: readonly string[];
  /** Whether assistants may connect over the Model Context Protocol. */
  mcp: boolean;
  /** Whether the server returns metrics for Prometheus. */
  metrics: boolean;
  /** Hosts, with or without a port, where the extension recognises pages of OpenClaw. */
  openclawHosts: readonly string[];
  /** Whether the server asks the registry once a week for a newer version. */
  checksForUpdates: boolean;
  /** For how many days the values that a change of a memory replaced are kept. */
  historyDays: number;
  backups: BackupConfiguration;
  /** Limits of a plugin's hook and job, in milliseconds, and of its process, in MB. */
  plugins: { hookMs: number; jobMs: number; memoryMb: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables; no other code reads them. docs/configuration.md lists them all.
 * Throws {@link ConfigurationError}.
 */
export function readConfiguration(environment: Environment = process.env): Configuration {
  const read = (name: string) => environment[`RECOLLECT_${name}`]?.trim() || undefined;
  const dataFolder = readDataFolder(environment);
  return {
    dataFolder,
    isDefaultFolder: dataFolder === usualDataFolder(),
    searchPath: environment.PATH ?? '',
    databaseUrl: readDatabaseUrl(read('DATABASE_URL'), dataFolder),
    databaseReadUrl: readReplicaUrl(read),
    storePlace: placeOf(read('DATABASE_URL')) ?? dataFolder,
    allowsNetworkStore: readChoice('ALLOW_NETWORK_STORE', read('ALLOW_NETWORK_STORE'), ['0', '1']) === '1',
    vectorMemoryMb: readInteger('VECTOR_MEMORY', read, { default: 512, minimum: 0, maximum: 4_096 }),
    textMemoryMb: readInteger('TEXT_MEMORY', read, { default: 512, minimum: 0, maximum: 4_096 }),
    passageVectors: readChoice('PASSAGE_VECTORS', read('PASSAGE_VECTORS'), ['on', 'off']) !== 'off',
    fetch: readChoice('FETCH', read('FETCH'), ['public', 'private', 'off']) ?? 'public',
    careful: readChoice('CAREFUL', read('CAREFUL'), ['on', 'off']) !== 'off',
    serverWait: readServerWait(environment),
    port: readPort(read('PORT')),
    policy: readPolicy(read),
    modelSettings: modelSettings(environment),
    language: systemLanguage(environment),
    embeddings: readEmbeddings(environment, read, dataFolder),
    watched: readList(read('WATCH')).map((folder) => resolve(folder)),
    runners: readChoice('RUNNERS', read('RUNNERS'), ['on', 'off']) !== 'off',
    mcp: readChoice('MCP', read('MCP'), ['on', 'off']) !== 'off',
    metrics: readChoice('METRICS', read('METRICS'), ['on', 'off']) === 'on',
    openclawHosts: readOpenclawHosts(read('OPENCLAW_HOSTS')),
    checksForUpdates: readChoice('UPDATE_CHECK', read('UPDATE_CHECK'), ['off', 'weekly']) === 'weekly',
    historyDays: readInteger('HISTORY_DAYS', read, limits.retention.historyDays),
    backups: readBackups(read, dataFolder),
    plugins: {
      hookMs: 1_000 * readInteger('PLUGIN_HOOK_SECONDS', read, { default: 30, minimum: 1, maximum: 3_600 }),
      jobMs: 1_000 * readInteger('PLUGIN_JOB_SECONDS', read, { default: 600, minimum: 1, maximum: 86_400 }),
      memoryMb: readInteger('PLUGIN_MEMORY_MB', read, { default: 256, minimum: 32, maximum: 16_384 }),
    },
  };
}

/** Whether systemd has passed a socket to this process (sd_listen_fds). */
export function hasSystemdSocket(environment: Environment = process.env): boolean {
  return Number(environment.LISTEN_PID) === process.pid && Number(environment.LISTEN_FDS) === 1;
}

/** The folder of the store. */
export function readDataFolder(environment: Environment = process.env): string {
  return resolve(environment.RECOLLECT_DATA_DIR?.trim() || usualDataFolder());
}

function readDatabaseUrl(url: string | undefined, dataFolder: string): string {
  if (url === undefined) return `sqlite:${databaseIn(dataFolder)}`;
  const store = parseStoreUrl(url);
  if (store !== null) return store;
  throw new ConfigurationError(`RECOLLECT_DATABASE_URL must be ${STORE_URL}.`);
}

function readReplicaUrl(read: Read): string | undefined {
  const url = read('DATABASE_READ_URL');
  if (url === undefined || (placeOf(url) !== null && placeOf(read('DATABASE_URL')) !== null)) return url;
  throw new ConfigurationError(
    'RECOLLECT_DATABASE_READ_URL must be postgres://NAME:PASSWORD@HOST/DATABASE, a replica of RECOLLECT_DATABASE_URL.',
  );
}

export const databaseIn = (dataFolder: string): string => join(dataFolder, 'recollect.db');

const usualDataFolder = (): string => envPaths('recollect', { suffix: '' }).data;

/** Milliseconds in which the running server must answer a command. */
export function readServerWait(environment: Environment = process.env): number {
  const read = (name: string) => environment[`RECOLLECT_${name}`]?.trim() || undefined;
  return readInteger('SERVER_WAIT', read, { default: 300, minimum: 0, maximum: 60_000 });
}

/** The settings that choose the model and override `recollect model use`. */
export function modelSettings(environment: Environment = process.env): string[] {
  const read = (name: string) => environment[`RECOLLECT_${name}`]?.trim() || undefined;
  const isOff = read('EMBEDDINGS') === 'off';
  const deciding = ['EMBEDDINGS_URL', 'MODEL', 'MODEL_DIR'].filter((name) => read(name) !== undefined);
  return [...(isOff ? ['EMBEDDINGS'] : []), ...deciding].map((name) => `RECOLLECT_${name}`);
}

/** Has this process, and those that it starts, open the store themselves, even if a server runs. */
export function workDirectly(environment: Record<string, string | undefined> = process.env): void {
  environment.RECOLLECT_SERVER_WAIT = '0';
}

/** Settings that another program's process needs unchanged. */
const SETTINGS_FOR_LAUNCH = [
  'ALLOW_NETWORK_STORE',
  'VECTOR_MEMORY',
  'TEXT_MEMORY',
  'PASSAGE_VECTORS',
  'CAREFUL',
  'FETCH',
  'EMBEDDINGS',
  'EMBEDDINGS_URL',
  'EMBEDDINGS_MODEL',
];

/**
 * The settings that a process started by another program needs to use the same memories and model; null for those not
 * set. Paths are absolute. The key of an embedding service is omitted: it does not belong in another program's file.
 */
export function settingsForLaunch(environment: Environment = process.env): Record<string, string | null> {
  const read = (name: string) => environment[`RECOLLECT_${name}`]?.trim() || null;
  const [, model] = readModelSetting(read) ?? [];
  // A program started from the desktop does not have the shell's other variables.
  const isElsewhere = read('DATA_DIR') !== null || Boolean(environment.XDG_DATA_HOME);
  return {
    RECOLLECT_DATA_DIR: isElsewhere ? readConfiguration(environment).dataFolder : null,
    RECOLLECT_MODEL: model === undefined ? null : settingOf(model),
    // Earlier versions wrote it, and both together are rejected.
    RECOLLECT_MODEL_DIR: null,
    ...Object.fromEntries(SETTINGS_FOR_LAUNCH.map((name) => [`RECOLLECT_${name}`, read(name)])),
  };
}

/** Where this user's programs keep their settings: on Windows, by the XDG specification, and where Claude Code does. */
export interface SettingsFolders {
  platform: NodeJS.Platform;
  home: string;
  appData: string;
  configHome: string;
  claudeCode: string | null;
}

export function readSettingsFolders(environment: Environment = process.env): SettingsFolders {
  const home = homedir();
  return {
    platform: process.platform,
    home,
    appData: environment.APPDATA ?? join(home, 'AppData', 'Roaming'),
    configHome: environment.XDG_CONFIG_HOME || join(home, '.config'),
    claudeCode: environment.CLAUDE_CONFIG_DIR || null,
  };
}

/** Whether this process can open a window: it runs in a graphical session and not over SSH. */
export function hasDisplay(environment: Environment = process.env): boolean {
  if (environment.DISPLAY || environment.WAYLAND_DISPLAY) return true;
  return ['darwin', 'win32'].includes(process.platform) && !environment.SSH_CONNECTION;
}

/**
 * Variables named like our settings that are not known, most likely typos: a sentence about each. Those that Kubernetes
 * sets for a service called recollect are left out.
 */
export function unknownSettings(environment: Environment = process.env): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('RECOLLECT_') && !SETTINGS.includes(name) && !KUBERNETES.test(name))
    .map((name) => {
      const nearest = closestMatch(name, SETTINGS, { maxDistance: 4 });
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      return `There is no setting ${name}.${hint} docs/configuration.md lists all settings.`;
    });
}

/**
 * Throws {@link ConfigurationError} if a variable named like our settings is unknown: a typo would leave it without
 * effect.
 */
export function rejectUnknownSettings(environment: Environment = process.env): void {
  const [first] = unknownSettings(environment);
  if (first !== undefined) throw new ConfigurationError(first);
}

const KUBERNETES = /^RECOLLECT_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))/;

const SETTINGS = settings.map(({ name }) => name);

/** The program that shows long texts on a terminal. */
export interface Pager {
  command: string;
  /** Whether the user chose it (PAGER): a command line for a shell. */
  isChosen: boolean;
  environment: Environment;
}

/** The pager to use; null if none is wanted, or none can be expected. */
export function readPager(environment: Environment = process.env): Pager | null {
  const named = environment.PAGER?.trim() ?? '';
  if (named === 'cat' || environment.TERM === 'dumb') return null;
  // Windows ships no pager that shows colours and UTF-8.
  if (named === '' && process.platform === 'win32') return null;
  // -R keeps colours, -F and -X leave short texts on the screen. A user's own LESS wins, as with git.
  return { command: named || 'less', isChosen: named !== '', environment: { LESS: 'FRX', ...environment } };
}

function readBackups(read: Read, dataFolder: string): BackupConfiguration {
  const passphraseFile = read('BACKUP_PASSPHRASE_FILE');
  return {
    isAutomatic: readChoice('BACKUPS', read('BACKUPS'), ['on', 'off']) !== 'off',
    folder: resolve(read('BACKUP_DIR') ?? join(dataFolder, 'backups')),
    passphraseFile: passphraseFile === undefined ? null : resolve(passphraseFile),
  };
}

/** The local model that a setting names, with the setting's name; null if none does. */
function readModelSetting(read: (name: string) => string | null | undefined): [string, ModelChoice] | null {
  const [name, folder] = [read('MODEL'), read('MODEL_DIR')];
  if (name && folder) throw new ConfigurationError('Set RECOLLECT_MODEL or RECOLLECT_MODEL_DIR, not both.');
  if (name) return ['MODEL', modelNamed(name)];
  return folder ? ['MODEL_DIR', { folder: resolve(folder) }] : null;
}

/** Where the embeddings of a local model come from. */
export function embeddingsOf(choice: ModelChoice, namedBy?: string): EmbeddingsConfiguration {
  if ('model' in choice) return { kind: 'shipped', model: choice.model };
  return { kind: 'folder', folder: choice.folder, ...(namedBy === undefined ? {} : { namedBy }) };
}

function readEmbeddings(environment: Environment, read: Read, dataFolder: string): EmbeddingsConfiguration {
  const [url, model, key] = ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_KEY'].map(read);
  const [setting, local] = readModelSetting(read) ?? [];
  if (readChoice('EMBEDDINGS', read('EMBEDDINGS'), ['on', 'off']) === 'off') return { kind: 'off' };
  if (url !== undefined && setting !== undefined) {
    throw new ConfigurationError(`Set RECOLLECT_EMBEDDINGS_URL or RECOLLECT_${setting}, not both.`);
  }
  if (local !== undefined) return embeddingsOf(local, `RECOLLECT_${setting}`);
  const address = readUrl('EMBEDDINGS_URL', url);
  if (address === null) return readChosenModel(dataFolder) ?? usualModel(dataFolder, environment);
  if (model === undefined) {
    throw new ConfigurationError(
      'RECOLLECT_EMBEDDINGS_URL is set without a model. Set RECOLLECT_EMBEDDINGS_MODEL to the name of the model.',
    );
  }
  return { kind: 'http', url: address.href, model, key };
}

function readChosenModel(dataFolder: string): EmbeddingsConfiguration | null {
  try {
    const choice = readModelChoice(dataFolder);
    return choice && embeddingsOf(choice);
  } catch (error) {
    throw new ConfigurationError(
      `${(error as Error).message} Choose the model again: recollect model use english --force, or multilingual.`,
    );
  }
}

/** Stores of which nothing was written down have the English model. */
function usualModel(dataFolder: string, environment: Environment): EmbeddingsConfiguration {
  const isNew = !existsSync(databaseIn(dataFolder));
  return { kind: 'shipped', model: isNew ? modelForLanguage(systemLanguage(environment)) : 'english' };
}

function readOpenclawHosts(value: string | undefined): string[] {
  const hosts = readList(value).map((name) => checkHostName('OPENCLAW_HOSTS', name));
  return hosts.length === 0 ? ['localhost', '127.0.0.1', '[::1]'] : hosts;
}
