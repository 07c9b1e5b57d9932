import type { PluginManifest } from '../plugin.js';

type Settings = Readonly<Record<string, unknown>>;

/** The values of unconfigured fields, as far as the top-level defaults of the schema define them. */
export function defaultsOf(manifest: PluginManifest): Record<string, unknown> {
  const given = Object.entries(propertiesOf(manifest)).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(given.map(([name, field]) => [name, field.default]));
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
