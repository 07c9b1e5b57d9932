import { RecollectError } from '../error.js';
import type { Installation, PluginJob, PluginPackage } from '../plugin.js';
import type { CorePorts } from '../ports/core-ports.js';
import { knownSettings } from './describe-plugin.js';

/** The current plugins: installed ones and those that ship. */
export interface Catalogue {
  installed(): Promise<Installation[]>;
  /** Plugins that ship but are not installed. */
  available(): Promise<PluginPackage[]>;
  /** Throws NOT_FOUND, or PLUGIN_NOT_INSTALLED for a plugin that ships but is not installed. */
  get(slug: string): Promise<Installation>;
  /** Null for a plugin that is not installed, is disabled or is suspended. */
  findActive(slug: string): Promise<Installation | null>;
}

export function createCatalogue({
  installations,
  pluginHost,
  clock,
}: Pick<CorePorts, 'installations' | 'pluginHost' | 'clock'>): Catalogue {
  const refresh = async (installation: Installation): Promise<Installation> => {
    const present = await update(installation);
    return { ...present, configuration: knownSettings(present.manifest, present.configuration) };
  };

  /** Shipped plugins change when Recollect is updated, and their manifest and SHA-256 with them. */
  const update = async (installation: Installation): Promise<Installation> => {
    if (installation.source !== 'shipped') return installation;
    const { slug } = installation.manifest;
    const present = (await pluginHost.shipped()).find(({ manifest }) => manifest.slug === slug);
    if (present === undefined) return installation;
    const { manifest, sha256 } = present;
    const isSame = sha256 === installation.sha256 && JSON.stringify(manifest) === JSON.stringify(installation.manifest);
    if (isSame) return installation;
    await installations.update(slug, { manifest, sha256 }, clock.now().toISOString());
    return { ...installation, manifest, sha256 };
  };

  return {
    async installed() {
      return Promise.all((await installations.list()).map(refresh));
    },

    async available() {
      const installedSlugs = new Set((await installations.list()).map(({ manifest }) => manifest.slug));
      return (await pluginHost.shipped()).filter(({ manifest }) => !installedSlugs.has(manifest.slug));
    },

    async get(slug) {
      const installation = await installations.find(slug);
      if (installation !== null) return refresh(installation);
      const ships = (await pluginHost.shipped()).some(({ manifest }) => manifest.slug === slug);
      if (!ships) throw unknownPlugin();
      throw new RecollectError(
        'PLUGIN_NOT_INSTALLED',
        'This plugin ships with Recollect but is not installed. Install it first.',
      );
    },

    async findActive(slug) {
      const installation = await installations.find(slug);
      if (installation === null || !installation.isEnabled || installation.suspended !== null) return null;
      return refresh(installation);
    },
  };
}

export function unknownPlugin(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no plugin of this name.');
}

/** Finds a job by its id. Throws NOT_FOUND. */
export function jobOf({ manifest }: PluginPackage, jobId: string): PluginJob {
  const job = manifest.jobs.find(({ id }) => id === jobId);
  if (job !== undefined) return job;
  const jobIds = manifest.jobs.map(({ id }) => id).join(', ');
  throw new RecollectError(
    'NOT_FOUND',
    jobIds === '' ? 'This plugin has no jobs.' : `This plugin has no job with this id. Its jobs: ${jobIds}.`,
  );
}

/** Throws PLUGIN_DISABLED or PLUGIN_SUSPENDED when a plugin may not run. */
export function checkActive({ isEnabled, suspended }: Installation): void {
  if (!isEnabled) {
    throw new RecollectError('PLUGIN_DISABLED', 'This plugin is disabled. Enable it first.');
  }
  if (suspended !== null) {
    throw new RecollectError('PLUGIN_SUSPENDED', `This plugin was suspended: ${suspended.reason} Enable it to resume.`);
  }
}
