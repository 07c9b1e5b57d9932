import type { JobSchedule, Plugin, PluginRun } from '@recollect/contract';
import type { Installation, JobRun, PluginManifest, PluginPackage, Schedule } from '../plugin.js';
import type { EventCounts } from '../ports/index.js';

/** The data of one user about all plugins. */
export interface UserPluginData {
  schedules: readonly Schedule[];
  lastRuns: readonly JobRun[];
  counts: readonly EventCounts[];
}

/** Describes a plugin for the HTTP interface. */
export function describePlugin(plugin: PluginPackage | Installation, userData: UserPluginData): Plugin {
  const { manifest, source, sha256 } = plugin;
  const { slug, version, title, description, scopes, permissions, observesCaptures, jobs } = manifest;
  const installation = 'isEnabled' in plugin ? plugin : null;
  const events = userData.counts.find((counts) => counts.slug === slug);
  return {
    slug,
    version,
    title,
    description,
    state: stateOf(installation),
    source,
    sha256,
    scopes: [...scopes],
    permissions: permissions.map((permission) => ({
      permission,
      allowed: installation?.allowed.includes(permission) ?? false,
    })),
    observesCaptures,
    isOn: events?.isUsed ?? false,
    jobs: jobs.map(({ id, title: name, defaultIntervalMinutes }) => {
      const isOf = (entry: Schedule | JobRun) => entry.slug === slug && entry.jobId === id;
      const schedule = userData.schedules.find(isOf);
      const lastRun = userData.lastRuns.find(isOf);
      return {
        jobId: id,
        title: name,
        defaultIntervalMinutes,
        schedule: schedule === undefined ? null : toJobSchedule(schedule),
        lastRun: lastRun === undefined ? null : toRun(lastRun),
      };
    }),
    configuration: { ...defaultsOf(manifest), ...installation?.configuration },
    configurationSchema: { ...manifest.configurationSchema },
    events: {
      told: events?.told ?? 0,
      waiting: events?.waiting ?? 0,
      parked: events?.parked ?? 0,
      nextAt: events?.nextAt ?? null,
      lastError: events?.lastError ?? null,
    },
    suspension: installation?.suspended ? { ...installation.suspended, resumeWith: 'enable' } : null,
  };
}

export function toJobSchedule({ slug, jobId, enabled, intervalMinutes, nextRunAt }: Schedule): JobSchedule {
  return { jobId, pluginSlug: slug, enabled, intervalMinutes, nextRunAt };
}

export function toRun({ slug: _, ...run }: JobRun): PluginRun {
  return run;
}

function stateOf(installation: Installation | null): Plugin['state'] {
  if (installation === null) return 'available';
  if (!installation.isEnabled) return 'disabled';
  return installation.suspended === null ? 'active' : 'suspended';
}

type Settings = Readonly<Record<string, unknown>>;

/** The values of unconfigured fields, as far as the top-level defaults of the schema define them. */
function defaultsOf(manifest: PluginManifest): Record<string, unknown> {
  const defaults = Object.entries(propertiesOf(manifest)).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(defaults.map(([name, field]) => [name, field.default]));
}

/** Overrides of a plugin's defaults, which a later version may change. */
export function withoutDefaults(manifest: PluginManifest, configuration: Settings): Record<string, unknown> {
  const defaults = defaultsOf(manifest);
  const isDefault = ([name, value]: [string, unknown]) => JSON.stringify(value) === JSON.stringify(defaults[name]);
  return Object.fromEntries(Object.entries(configuration).filter((setting) => !isDefault(setting)));
}

/** A stored configuration without the settings that only an earlier version of the plugin had. */
export function knownSettings(manifest: PluginManifest, stored: Settings): Settings {
  if ('additionalProperties' in manifest.configurationSchema) return stored;
  const properties = propertiesOf(manifest);
  return Object.fromEntries(Object.entries(stored).filter(([name]) => Object.hasOwn(properties, name)));
}

function propertiesOf({ configurationSchema }: PluginManifest): Record<string, { default?: unknown }> {
  const { properties = {} } = configurationSchema as { properties?: Record<string, { default?: unknown }> };
  return properties;
}
