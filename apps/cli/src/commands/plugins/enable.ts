import type { PluginAnswer, PluginPermission } from '@recollect/contract';
import { pluginPermissions } from '@recollect/contract/vocabulary';
import { print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { withPlugin } from './with-plugin.js';

export const addEnable: AddCommand = (plugins) => {
  plugins
    .command('enable')
    .description('enable a plugin or resume a suspended one, and retry what failed')
    .argument('<plugin>', 'plugin name')
    .option('--allow <permission>', 'permission to grant: network', addPermission)
    .option('--json', 'print JSON')
    .action(enable);
};

export const addDisable: AddCommand = (plugins) => {
  plugins
    .command('disable')
    .description('disable a plugin; its schedules and state are kept')
    .argument('<plugin>', 'plugin name')
    .option('--json', 'print JSON')
    .action(disable);
};

async function enable(slug: string, { allow, json }: { allow?: PluginPermission[]; json?: boolean }): Promise<void> {
  await withPlugin(slug, async ({ call }) => {
    const { plugin } = (await call('pluginAction', { body: { action: 'enable', slug, allow } })) as PluginAnswer;
    if (json) printJson(plugin);
    else print(`${slug} is enabled.`);
  });
}

async function disable(slug: string, { json }: { json?: boolean }): Promise<void> {
  await withPlugin(slug, async ({ call }) => {
    const { plugin } = (await call('pluginAction', { body: { action: 'disable', slug } })) as PluginAnswer;
    if (json) printJson(plugin);
    else print(`${slug} is disabled. Enable it again with: recollect plugins enable ${slug}`);
  });
}

export function addPermission(text: string, before: PluginPermission[] = []): PluginPermission[] {
  const given = text.split(',').map((name) => pluginPermissions.find((known) => known === name.trim()));
  const known = given.filter((permission) => permission !== undefined);
  if (known.length === given.length) return [...before, ...known];
  throw new InvalidOptionError(`--allow must be one or more of: ${pluginPermissions.join(', ')}.`);
}
