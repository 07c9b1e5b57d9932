import type { PluginPermission } from '@recollect/contract';
import { pluginPermissions } from '@recollect/contract/vocabulary';
import { LOCAL_USER } from '@recollect/core';
import { print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { withPlugin } from './with-plugin.js';

export const addEnable: AddCommand = (plugins) => {
  plugins
    .command('enable')
    .description('let a plugin run again, also after it was suspended, and try again what had failed')
    .argument('<plugin>', 'its name')
    .option('--allow <permission>', 'what it may do beyond the memories: network', addPermission)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect plugins enable link-rot --allow network')
    .action(enable);
};

export const addDisable: AddCommand = (plugins) => {
  plugins
    .command('disable')
    .description('keep a plugin from running; its schedules and what it kept stay')
    .argument('<plugin>', 'its name')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect plugins disable auto-tag')
    .action(disable);
};

async function enable(slug: string, { allow, json }: { allow?: PluginPermission[]; json?: boolean }): Promise<void> {
  await withPlugin(slug, async ({ core }) => {
    const plugin = await core.plugins.enable(LOCAL_USER, slug, { allow: allow ?? null });
    if (json) printJson(plugin);
    else print(`${slug} is enabled.`);
  });
}

async function disable(slug: string, { json }: { json?: boolean }): Promise<void> {
  await withPlugin(slug, async ({ core }) => {
    const plugin = await core.plugins.disable(LOCAL_USER, slug);
    if (json) printJson(plugin);
    else print(`${slug} is disabled. recollect plugins enable ${slug} enables it again.`);
  });
}

export function addPermission(text: string, before: PluginPermission[] = []): PluginPermission[] {
  const given = text.split(',').map((name) => pluginPermissions.find((known) => known === name.trim()));
  const known = given.filter((permission) => permission !== undefined);
  if (known.length === given.length) return [...before, ...known];
  throw new InvalidOptionError(`--allow takes: ${pluginPermissions.join(', ')}.`);
}
