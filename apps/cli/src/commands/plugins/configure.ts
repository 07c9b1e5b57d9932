import type { Plugin, PluginAnswer } from '@recollect/contract';
import { inert, print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { withPlugin } from './with-plugin.js';

export const addConfigure: AddCommand = (plugins) => {
  plugins
    .command('configure')
    .description('show or change the configuration of a plugin')
    .argument('<plugin>', 'plugin name')
    .argument('[settings...]', 'name=value, where the value is JSON or text; an empty value restores the default')
    .option('--json', 'print JSON')
    .action(configure);
};

async function configure(slug: string, settings: string[], { json }: { json?: boolean }): Promise<void> {
  await withPlugin(slug, async ({ call }) => {
    const { plugins } = await call('listPlugins', {});
    const present = plugins.find((plugin) => plugin.slug === slug);
    if (settings.length === 0 && present !== undefined)
      return json ? printJson(present.configuration) : printConfiguration(present);
    const changes = settings.map(readSetting);
    const changed = Object.fromEntries(
      [...Object.entries(present?.configuration ?? {}), ...changes].filter(
        ([name, value]) => value !== undefined && !changes.some(([reset, to]) => reset === name && to === undefined),
      ),
    );
    const answer = await call('pluginAction', { body: { action: 'configure', slug, config: changed } });
    const { plugin } = answer as PluginAnswer;
    if (json) return printJson(plugin.configuration);
    if (settings.length > 0) print(`${slug} is configured:`);
    printConfiguration(plugin);
  });
}

function printConfiguration({ slug, configuration, configurationSchema }: Plugin): void {
  const { properties = {} } = configurationSchema as { properties?: Record<string, { description?: string }> };
  const names = Object.keys(properties);
  if (names.length === 0) print(`${slug} has no settings.`);
  for (const name of names) {
    const description = properties[name]?.description;
    const why = description === undefined ? '' : `  (${inert(description)})`;
    print(`${name} = ${inert(JSON.stringify(configuration[name]))}${why}`);
  }
}

/** Parses a name and its value; undefined restores the default. */
function readSetting(text: string): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidOptionError('Pass settings as name=value, such as confidence=0.7.');
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (value === '') return [name, undefined];
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
