import type { Plugin, PluginList, PluginPermission, RunsAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import type { PluginPackage } from '../plugin.js';
import { type Catalogue, jobOf, unknownPlugin } from './catalogue.js';
import { describePlugin, toRun } from './describe-plugin.js';

export interface InstallOptions {
  /** Only files that have this hash, hexadecimal. */
  sha256?: string | null | undefined;
  /** What the plugin may do beyond the memories. */
  allow?: readonly PluginPermission[] | null | undefined;
  /** Takes the place of the one of the same name from a folder, which keeps its configuration, schedules and state. */
  replaces?: boolean | undefined;
}

export interface Plugins {
  /** Those that are installed and those that ship, by slug. */
  list(userId: string): Promise<PluginList>;
  /**
   * Installs a plugin that ships, or one from a folder, which is copied and pinned by its SHA-256. One that needs a
   * permission that was not allowed stays disabled. Throws NOT_FOUND, PLUGIN_INSTALLED, PLUGIN_INVALID.
   */
  install(userId: string, from: { slug: string } | { folder: string }, options?: InstallOptions): Promise<Plugin>;
  /** Removes a plugin with its schedules, history, events and what it kept; the memories that it saved stay. */
  uninstall(slug: string): Promise<void>;
  /**
   * Lets a plugin run, after a suspension too, and delivers the events that had failed. Throws PERMISSION_NEEDED when
   * something that it needs was never allowed.
   */
  enable(
    userId: string,
    slug: string,
    options?: { allow?: readonly PluginPermission[] | null | undefined },
  ): Promise<Plugin>;
  disable(userId: string, slug: string): Promise<Plugin>;
  /** Replaces the configuration; what is missing in it is the plugin's default. Throws VALIDATION_FAILED, a message a field. */
  configure(userId: string, slug: string, configuration: Readonly<Record<string, unknown>>): Promise<Plugin>;
  /** The last runs, newest first, at most 200. */
  runs(userId: string, slug: string, jobId?: string | null): Promise<RunsAnswer>;
}

/** Which plugins there are and how they are set. Installations are global; schedules, runs and events are a user's. */
export function createPlugins(
  ports: Pick<CorePorts, 'installations' | 'pluginHost' | 'pluginJobs' | 'eventOutbox' | 'clock'>,
  catalogue: Catalogue,
): Plugins {
  const { installations, pluginHost, pluginJobs, eventOutbox, clock } = ports;
  const now = () => clock.now().toISOString();

  const update = async (slug: string, change: Parameters<typeof installations.update>[1]) => {
    if (!(await installations.update(slug, change, now()))) throw unknownPlugin();
  };

  const describe = async (userId: string, slug: string): Promise<Plugin> => {
    const found = (await plugins.list(userId)).plugins.find((plugin) => plugin.slug === slug);
    if (found === undefined) throw unknownPlugin();
    return found;
  };

  const plugins: Plugins = {
    async list(userId) {
      const [installed, available, schedules, lastRuns, counts] = await Promise.all([
        catalogue.installed(),
        catalogue.available(),
        pluginJobs.listSchedules(userId),
        pluginJobs.lastRuns(userId),
        eventOutbox.counts(userId),
      ]);
      const known = { schedules, lastRuns, counts };
      const described = [...installed, ...available].map((plugin) => describePlugin(plugin, known));
      return { plugins: described.sort((a, b) => (a.slug < b.slug ? -1 : 1)) };
    },

    async install(userId, from, { sha256 = null, allow, replaces = false } = {}) {
      const found =
        'folder' in from
          ? await pluginHost.add(from.folder, { sha256, allow: allow ?? [] })
          : await findShipped(ports, from.slug);
      const { manifest } = found;
      const { slug } = manifest;
      checkHash(found, sha256);
      const present = await installations.find(slug);
      const isReplaced = replaces && present !== null && found.source === 'folder';
      const granted = [...(allow ?? []), ...(isReplaced ? present.allowed : [])];
      const allowed = manifest.permissions.filter((permission) => granted.includes(permission));
      const isAllowed = allowed.length === manifest.permissions.length;
      const lacked =
        isReplaced && present.manifest.permissions.some((permission) => !present.allowed.includes(permission));
      const isEnabled = isAllowed && (!isReplaced || present.isEnabled || lacked);
      const fresh = { ...found, allowed, isEnabled, failedStarts: 0, suspended: null };
      if (isReplaced) await update(slug, fresh);
      else if (!(await installations.insert({ ...fresh, configuration: {} }, now()))) {
        // Somebody may have installed the same since.
        if ((await installations.find(slug))?.sha256 !== found.sha256) await pluginHost.remove(found);
        throw alreadyInstalled(found);
      }
      if (isReplaced && present.sha256 !== found.sha256) await pluginHost.remove(present);
      return describe(userId, slug);
    },

    async uninstall(slug) {
      const installation = await catalogue.get(slug);
      await installations.remove(slug);
      if ((await installations.find(slug))?.sha256 !== installation.sha256) await pluginHost.remove(installation);
    },

    async enable(userId, slug, { allow } = {}) {
      const { manifest, allowed } = await catalogue.get(slug);
      const all = manifest.permissions.filter((one) => allowed.includes(one) || allow?.includes(one));
      const missing = manifest.permissions.filter((one) => !all.includes(one));
      if (missing.length > 0) {
        throw new RecollectError(
          'PERMISSION_NEEDED',
          `This plugin needs permissions that its owner has not allowed: ${missing.join(', ')}. Allow them when you enable it.`,
          { extension: { permissions: missing } },
        );
      }
      await update(slug, { isEnabled: true, allowed: all, failedStarts: 0, suspended: null });
      await eventOutbox.requeue(slug, now());
      return describe(userId, slug);
    },

    async disable(userId, slug) {
      await catalogue.get(slug);
      await update(slug, { isEnabled: false });
      return describe(userId, slug);
    },

    async configure(userId, slug, configuration) {
      const installation = await catalogue.get(slug);
      checkSize(configuration);
      const judgement = await pluginHost.judge(installation, configuration);
      if (judgement.kind === 'invalid') throw invalidConfiguration(judgement.errors);
      await update(slug, { configuration: judgement.configuration });
      return describe(userId, slug);
    },

    async runs(userId, slug, jobId = null) {
      const plugin = await catalogue.get(slug);
      if (jobId !== null && jobId !== 'onCapture') jobOf(plugin, jobId);
      const runs = await pluginJobs.runs(userId, slug, { jobId, limit: limits.jobs.runs });
      return { runs: runs.map(toRun) };
    },
  };
  return plugins;
}

async function findShipped(
  { pluginHost, installations }: Pick<CorePorts, 'pluginHost' | 'installations'>,
  slug: string,
): Promise<PluginPackage> {
  const shipped = (await pluginHost.shipped()).find(({ manifest }) => manifest.slug === slug);
  if (shipped !== undefined) return shipped;
  const installed = await installations.find(slug);
  if (installed !== null) return installed;
  throw new RecollectError('NOT_FOUND', 'No plugin of this name ships with Recollect.');
}

function alreadyInstalled({ manifest: { slug }, source }: PluginPackage): RecollectError {
  const instead =
    source === 'shipped'
      ? 'It ships with Recollect and changes with it.'
      : 'Replace it to use these files and keep its configuration, schedules and state.';
  return new RecollectError('PLUGIN_INSTALLED', `A plugin of the name ${slug} is installed already. ${instead}`);
}

function checkHash({ sha256 }: PluginPackage, expected: string | null): void {
  if (expected === null || expected.toLowerCase() === sha256) return;
  const message = 'is not the SHA-256 of these files';
  throw new RecollectError(
    'PLUGIN_INVALID',
    `The plugin was not installed: sha256 ${message}. Are they the right ones?`,
    {
      errors: [{ pointer: '/sha256', message }],
    },
  );
}

function checkSize(configuration: Readonly<Record<string, unknown>>): void {
  const { configurationBytes } = limits.plugins;
  if (new TextEncoder().encode(JSON.stringify(configuration)).length <= configurationBytes) return;
  throw invalidConfiguration([{ pointer: '', message: `must be at most ${configurationBytes} bytes as JSON` }]);
}

function invalidConfiguration(errors: readonly { pointer: string; message: string }[]): RecollectError {
  const told = errors.map(({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.') || 'It'} ${message}`);
  return new RecollectError('VALIDATION_FAILED', `The configuration was not changed: ${told.join('; ')}.`, {
    errors: errors.map(({ pointer, message }) => ({ pointer: `/config${pointer}`, message })),
  });
}
