import type { Plugin, PluginList, PluginPermission, RunsAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import { LOCAL_USER } from '../memory.js';
import type { PluginPackage } from '../plugin.js';
import type { CorePorts } from '../ports/core-ports.js';
import { type Catalogue, jobOf, unknownPlugin } from './catalogue.js';
import { describePlugin, toRun, withoutDefaults } from './describe-plugin.js';

export interface InstallOptions {
  /** Installs only files with this SHA-256, hexadecimal. */
  sha256?: string | null | undefined;
  /** Permissions to grant, such as `network`. */
  allow?: readonly PluginPermission[] | null | undefined;
  /** Replaces the files of an installed plugin from a folder. Its configuration, schedules and state are kept. */
  replaces?: boolean | undefined;
}

export interface Plugins {
  /** Installed plugins and plugins that ship, sorted by slug. */
  list(userId: string): Promise<PluginList>;
  /** Installed plugins alone, which takes less: those that ship are not loaded unless one of them is installed. */
  listInstalled(userId: string): Promise<PluginList['plugins']>;
  /**
   * Installs a shipped plugin, or copies one from a folder and pins it by its SHA-256. A plugin stays disabled while it
   * needs a permission that was not granted. Throws NOT_FOUND, PLUGIN_INSTALLED, PLUGIN_INVALID.
   *
   * @example
   * await core.plugins.install(LOCAL_USER, { slug: 'link-rot' }, { allow: ['network'] });
   * await core.plugins.install(LOCAL_USER, { folder: '/home/ann/my-plugin' }, { replaces: true });
   */
  install(userId: string, from: { slug: string } | { folder: string }, options?: InstallOptions): Promise<Plugin>;
  /** Removes a plugin with its schedules, history, events and state. The memories that it saved stay. */
  uninstall(slug: string): Promise<void>;
  /**
   * Enables a plugin, resumes it after a suspension, and makes its failed events due again. Throws PERMISSION_NEEDED
   * while a permission that it needs is not granted.
   */
  enable(
    userId: string,
    slug: string,
    options?: { allow?: readonly PluginPermission[] | null | undefined },
  ): Promise<Plugin>;
  disable(userId: string, slug: string): Promise<Plugin>;
  /**
   * Switches a plugin on or off for the captures of a person. Throws VALIDATION_FAILED for the local user, who uses
   * every plugin that is enabled.
   */
  setUse(userId: string, slug: string, isUsed: boolean): Promise<Plugin>;
  /**
   * Replaces the configuration. Missing fields get their defaults. Throws VALIDATION_FAILED with an error per field.
   */
  configure(userId: string, slug: string, configuration: Readonly<Record<string, unknown>>): Promise<Plugin>;
  /** The last runs, newest first, at most 200. */
  runs(userId: string, slug: string, jobId?: string | null): Promise<RunsAnswer>;
}

/** Manages plugins. Installations are global; schedules, runs and events belong to a user. */
export function createPlugins(
  ports: Pick<CorePorts, 'installations' | 'pluginHost' | 'pluginJobs' | 'eventOutbox' | 'clock'>,
  catalogue: Catalogue,
): Plugins {
  const { installations, pluginHost, pluginJobs, eventOutbox, clock } = ports;
  const now = () => clock.now().toISOString();

  const update = async (slug: string, change: Parameters<typeof installations.update>[1]) => {
    if (!(await installations.update(slug, change, now()))) throw unknownPlugin();
  };

  /** Describes plugins with their activity for a user, sorted by slug. */
  const describeAll = async (userId: string, packagesRead: Promise<readonly PluginPackage[]>): Promise<Plugin[]> => {
    const [packages, schedules, lastRuns, counts] = await Promise.all([
      packagesRead,
      pluginJobs.listSchedules(userId),
      pluginJobs.lastRuns(userId),
      eventOutbox.counts(userId),
    ]);
    const described = packages.map((plugin) => describePlugin(plugin, { schedules, lastRuns, counts }));
    return described.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  };

  const readPlugin = async (userId: string, slug: string): Promise<Plugin> => {
    const plugin = (await plugins.list(userId)).plugins.find((plugin) => plugin.slug === slug);
    if (plugin === undefined) throw unknownPlugin();
    return plugin;
  };

  const plugins: Plugins = {
    async list(userId) {
      const all = Promise.all([catalogue.installed(), catalogue.available()]);
      const packages = all.then(([installed, available]) => [...installed, ...available]);
      return { plugins: await describeAll(userId, packages) };
    },

    listInstalled: (userId) => describeAll(userId, catalogue.installed()),

    async install(userId, from, { sha256 = null, allow, replaces = false } = {}) {
      const candidate =
        'folder' in from
          ? await pluginHost.add(from.folder, { sha256, allow: allow ?? [] })
          : await findShipped(ports, from.slug);
      const { manifest } = candidate;
      const { slug } = manifest;
      checkHash(candidate, sha256);
      const present = await installations.find(slug);
      const isReplaced = replaces && present !== null && candidate.source === 'folder';
      const granted = [...(allow ?? []), ...(isReplaced ? present.allowed : [])];
      const allowed = manifest.permissions.filter((permission) => granted.includes(permission));
      const isAllowed = allowed.length === manifest.permissions.length;
      const lackedPermission =
        isReplaced && present.manifest.permissions.some((permission) => !present.allowed.includes(permission));
      const isEnabled = isAllowed && (!isReplaced || present.isEnabled || lackedPermission);
      const fresh = { ...candidate, allowed, isEnabled, failedStarts: 0, suspended: null };
      if (isReplaced) await update(slug, fresh);
      else if (!(await installations.insert({ ...fresh, configuration: {} }, now()))) {
        // A concurrent installation of the same files may have succeeded, and needs them.
        if ((await installations.find(slug))?.sha256 !== candidate.sha256) await pluginHost.remove(candidate);
        throw alreadyInstalled(candidate);
      }
      if (isReplaced && present.sha256 !== candidate.sha256) await pluginHost.remove(present);
      return readPlugin(userId, slug);
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
      return readPlugin(userId, slug);
    },

    async disable(userId, slug) {
      await catalogue.get(slug);
      await update(slug, { isEnabled: false });
      return readPlugin(userId, slug);
    },

    async setUse(userId, slug, isUsed) {
      await catalogue.get(slug);
      if (userId === LOCAL_USER)
        throw new RecollectError(
          'VALIDATION_FAILED',
          'The owner of this machine uses every plugin that is enabled. Enable or disable it instead.',
        );
      await eventOutbox.setUse(userId, slug, isUsed, now());
      return readPlugin(userId, slug);
    },

    async configure(userId, slug, configuration) {
      const installation = await catalogue.get(slug);
      checkSize(configuration);
      const validation = await pluginHost.validateConfiguration(installation, configuration);
      if (validation.kind === 'invalid') throw invalidConfiguration(validation.errors);
      await update(slug, { configuration: withoutDefaults(installation.manifest, validation.configuration) });
      return readPlugin(userId, slug);
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
      ? 'It ships with Recollect and is updated with it.'
      : 'Replace it to use these files and keep its configuration, schedules and state.';
  return new RecollectError('PLUGIN_INSTALLED', `The plugin ${slug} is already installed. ${instead}`);
}

function checkHash({ sha256 }: PluginPackage, expected: string | null): void {
  if (expected === null || expected.toLowerCase() === sha256) return;
  const message = 'does not match these files';
  throw new RecollectError(
    'PLUGIN_INVALID',
    `The plugin was not installed: sha256 ${message}. Check that they are the right ones.`,
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
  const messages = errors.map(({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.') || 'It'} ${message}`);
  return new RecollectError('VALIDATION_FAILED', `The configuration was not changed: ${messages.join('; ')}.`, {
    errors: errors.map(({ pointer, message }) => ({ pointer: `/config${pointer}`, message })),
  });
}
