import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { limits } from '@recollect/contract/limits';
import {
  type Installation,
  type PluginHost,
  type PluginOutcome,
  type PluginPackage,
  RecollectError,
} from '@recollect/core';
import pLimit, { type LimitFunction } from 'p-limit';
import type { PluginDefinition } from '../define-plugin.js';
import { describeDefinition } from '../describe-definition.js';
import { holdsConnection, type LoopbackConnection } from './holds-connection.js';
import { copyPackage, keepPackage, type PackageFolder, readPackageFolder, sweepAbandoned } from './package-folder.js';
import { openPluginProcess, type PluginProcess, StartError } from './plugin-process.js';
import { type ProcessOptions, withoutNetwork } from './start-process.js';

/** A plugin that ships with Recollect. */
export interface ShippedPlugin {
  definition: PluginDefinition;
  /** The folder of its code, as a file URL. */
  folder: URL;
  /** Additional modules that its code imports: import name → module URL. */
  libraries?: Readonly<Record<string, string>>;
}

export interface PluginHostOptions {
  /** Where the files of installed plugins are stored. */
  folder: string;
  /** Loads the plugins that ship. Called once, when first needed. */
  shipped: () => Promise<readonly ShippedPlugin[]>;
  /** Time limits of one call in milliseconds, and the memory limit of a process in MB beyond Node's own use. */
  limits: { hookMs: number; jobMs: number; memoryMb: number };
  /** How long an idle process is kept, in milliseconds. Default 30 s. */
  idleMs?: number;
  /** Whether the system's own isolation is used where there is one. Default true. */
  usesNamespaces?: boolean;
}

/** A plugin host, with a server's questions about its clients. */
export interface LocalPluginHost extends PluginHost {
  /** Whether a plugin's process is the client of a connection over loopback, where the system can tell (Linux). */
  holdsConnection(connection: LoopbackConnection): Promise<boolean>;
  /** Whether the operating system itself keeps plugins off the network, unless they may use it. */
  isolatesNetwork(): Promise<boolean>;
}

const STOPPING = 'The program is stopping, or the plugin was removed.';
/** With more processes than this, a process ends as soon as it is idle. */
const MAX_IDLE_PROCESSES = 4;

interface Slot {
  /** Whether the plugin was removed; waiting calls are then cancelled. */
  isRemoved: boolean;
  /** Runs one call at a time, in their order. */
  inTurn: LimitFunction;
  process: PluginProcess | null;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Runs each plugin in a separate process, which is started on demand and ended when idle. Must be closed.
 *
 * @example
 * const host = openPluginHost({
 *   folder: '/tmp/installed-plugins',
 *   shipped: async () => [],
 *   limits: { hookMs: 30_000, jobMs: 600_000, memoryMb: 256 },
 * });
 */
export function openPluginHost(options: PluginHostOptions): LocalPluginHost {
  const { folder, idleMs = 30_000 } = options;
  const slots = new Map<string, Slot>();
  const running = new Set<number>();
  let isClosed = false;
  let packages: Promise<PluginPackage[]> | undefined;

  let shippedPlugins: ReturnType<PluginHostOptions['shipped']> | undefined;
  const listShipped = () => {
    shippedPlugins ??= options.shipped();
    return shippedPlugins;
  };
  const findShipped = async (slug: string) => (await listShipped()).find(({ definition }) => definition.slug === slug);
  const folderOf = async ({ manifest, source, sha256 }: PluginPackage) => {
    const shipped = source === 'shipped' ? await findShipped(manifest.slug) : undefined;
    return shipped === undefined
      ? join(folder, `${manifest.slug}-${sha256.slice(0, 16)}`)
      : fileURLToPath(shipped.folder);
  };

  /** One slot per plugin, SHA-256 and permissions: changed files or permissions need another process. */
  const slotOf = ({ manifest, sha256, allowed }: Installation): Slot => {
    const key = `${manifest.slug} ${sha256} ${allowed.join(' ')}`;
    const slot = slots.get(key) ?? {
      inTurn: pLimit(1),
      process: null,
      idle: undefined,
      isRemoved: false,
    };
    slots.set(key, slot);
    return slot;
  };

  const processFor = async (plugin: Installation, slot: Slot): Promise<PluginProcess> => {
    if (isClosed || slot.isRemoved) throw new StartError(STOPPING);
    clearTimeout(slot.idle);
    if (slot.process?.isAlive()) return slot.process;
    const files = await readPackageFolder(await folderOf(plugin)).catch((error: Error) => {
      throw new StartError(error.message.replace('The plugin was not installed. ', ''));
    });
    // A shipped plugin is as trusted as Recollect itself, and an update may replace both while this process runs.
    if (plugin.source !== 'shipped' && files.sha256 !== plugin.sha256) {
      throw new StartError(
        `Its files have changed since it was installed: their SHA-256 is ${files.sha256} instead of ${plugin.sha256}. Check what has changed, then uninstall it and install it again.`,
      );
    }
    const shipped = plugin.source === 'shipped' ? await findShipped(plugin.manifest.slug) : undefined;
    slot.process = await open(files, {
      libraries: shipped?.libraries ?? {},
      hasNetwork: plugin.allowed.includes('network'),
    });
    if (!isClosed && !slot.isRemoved) return slot.process;
    await end(slot);
    throw new StartError(STOPPING);
  };

  const open = (files: PackageFolder, more: Pick<ProcessOptions, 'libraries' | 'hasNetwork'>) =>
    openPluginProcess({
      ...more,
      folder: files.folder,
      entry: pathToFileURL(files.entry).href,
      memoryMb: options.limits.memoryMb,
      running,
      usesNamespaces: options.usesNamespaces,
    });

  /** Runs `work` with the plugin's process after the earlier calls of that plugin. */
  const enqueue = async <T>(plugin: Installation, work: (process: PluginProcess) => Promise<T>): Promise<T> => {
    const slot = slotOf(plugin);
    if (slot.inTurn.pendingCount >= limits.plugins.queue)
      throw new RecollectError('UNAVAILABLE', 'Too many calls are waiting for this plugin. Try again later.');
    return slot.inTurn(async () => {
      const process = await processFor(plugin, slot);
      try {
        return await work(process);
      } finally {
        const alive = [...slots.values()].filter((known) => known.process !== null).length;
        slot.idle = setTimeout(() => void end(slot), alive > MAX_IDLE_PROCESSES ? 0 : idleMs).unref();
      }
    });
  };

  const end = async (slot: Slot) => {
    clearTimeout(slot.idle);
    const { process } = slot;
    slot.process = null;
    await process?.end();
  };

  return {
    shipped() {
      // Computed once: this process keeps running the code it loaded, even when the files on disk change.
      packages ??= listShipped().then((plugins) => Promise.all(plugins.map(describeShipped)));
      packages.catch(() => {
        packages = undefined;
      });
      return packages;
    },

    async add(path, { sha256, allow }) {
      await sweepAbandoned(folder);
      const incoming = join(folder, `incoming-${randomUUID()}`);
      try {
        await copyPackage(await readPackageFolder(path), incoming);
        const copied = await readPackageFolder(incoming);
        if (sha256 !== null && copied.sha256 !== sha256.toLowerCase()) throw wrongHash(copied.sha256);
        const started = await open(copied, { libraries: {}, hasNetwork: allow.includes('network') });
        await started.end();
        const added: PluginPackage = { manifest: started.manifest, source: 'folder', sha256: copied.sha256 };
        if ((await findShipped(added.manifest.slug)) !== undefined) throw slugTaken();
        await keepPackage(incoming, await folderOf(added), added.sha256);
        return added;
      } catch (error) {
        throw error instanceof StartError ? notLoaded(error) : error;
      } finally {
        await rm(incoming, { recursive: true, force: true });
      }
    },

    async remove(plugin) {
      const ended = [...slots].filter(([key]) => key.startsWith(`${plugin.manifest.slug} ${plugin.sha256}`));
      for (const [key, slot] of ended) {
        slot.isRemoved = true;
        slots.delete(key);
        await end(slot);
        // A process that is just starting ends within its turn; the queue waits for it.
        await slot.inTurn(async () => {}).catch(() => {});
      }
      if (plugin.source === 'folder') await rm(await folderOf(plugin), { recursive: true, force: true });
    },

    async validateConfiguration(plugin, configuration) {
      try {
        return await enqueue(plugin, (process) => process.validateConfiguration(configuration));
      } catch (error) {
        throw error instanceof StartError ? validationFailed(error) : error;
      }
    },

    async call(plugin, call, { answer, signal }) {
      const { hookMs, jobMs } = options.limits;
      const slot = slotOf(plugin);
      const isCancelled = () => isClosed || slot.isRemoved;
      try {
        const outcome = await enqueue(plugin, (process): Promise<PluginOutcome> => {
          if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
          const { configuration } = plugin;
          return process.call(call, { configuration, answer, signal, timeMs: call.kind === 'job' ? jobMs : hookMs });
        });
        return isCancelled() && outcome.kind === 'failed' ? { kind: 'stopped' } : outcome;
      } catch (error) {
        if (isCancelled() || signal.aborted) return { kind: 'stopped' };
        if (error instanceof StartError)
          return { kind: 'not-started', summary: `It did not start. ${error.message}`, details: [] };
        if (error instanceof RecollectError) return { kind: 'failed', summary: error.message, details: [] };
        throw error;
      }
    },

    holdsConnection: (connection) => holdsConnection([...running], connection),

    isolatesNetwork: async () => options.usesNamespaces !== false && (await withoutNetwork()).length > 0,

    async close() {
      isClosed = true;
      await Promise.all(
        [...slots.values()].map(async (slot) => {
          await end(slot);
          // A process that is just starting ends within its turn; the queue waits for it.
          await slot.inTurn(async () => {}).catch(() => {});
        }),
      );
    },
  };
}

async function describeShipped({ definition, folder }: ShippedPlugin): Promise<PluginPackage> {
  const { sha256 } = await readPackageFolder(fileURLToPath(folder));
  return { manifest: describeDefinition(definition), source: 'shipped', sha256 };
}

function wrongHash(present: string): RecollectError {
  const message = `does not match; these files have ${present}`;
  return new RecollectError('PLUGIN_INVALID', `The plugin was not installed: the SHA-256 ${message}.`, {
    errors: [{ pointer: '/sha256', message }],
  });
}

function slugTaken(): RecollectError {
  const message = 'belongs to a plugin that ships with Recollect; choose another';
  return new RecollectError('PLUGIN_INVALID', `The plugin was not installed: its slug ${message}.`, {
    errors: [{ pointer: '/slug', message }],
  });
}

function notLoaded({ message, errors }: StartError): RecollectError {
  return new RecollectError('PLUGIN_INVALID', `The plugin was not installed. ${message}`, {
    errors: errors.length > 0 ? errors : [{ pointer: '/folder', message }],
  });
}

function validationFailed({ message }: StartError): RecollectError {
  return new RecollectError(
    'PLUGIN_INVALID',
    `The plugin could not validate the configuration, so nothing was changed. ${message}`,
  );
}
