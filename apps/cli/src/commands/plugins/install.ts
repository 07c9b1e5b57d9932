import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import type { PluginAnswer, PluginPermission } from '@recollect/contract';
import { describeInterval } from '@recollect/contract/text';
import { pluginPermissions } from '@recollect/contract/vocabulary';
import { LOCAL_USER } from '@recollect/core';
import { writeTemplate } from '@recollect/plugin-runtime/template';
import { inert, print, printJson } from '../../terminal/output.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { withPlugin, withPluginHere } from './with-plugin.js';

interface InstallOptions {
  sha256?: string;
  allow?: PluginPermission[];
  replace?: boolean;
  yes?: boolean;
  json?: boolean;
}

export const addInstall: AddCommand = (plugins) => {
  plugins
    .command('install')
    .description('install a plugin that ships with Recollect, or your own from a folder')
    .argument('<plugin>', 'plugin name or folder')
    .option('--sha256 <hash>', 'install it only if its files have this SHA-256', readHash)
    .option('--allow <permission>', 'permission to grant: network', addPermission)
    .option('--replace', 'replace a plugin of the same name; keeps its configuration, schedules and state')
    .option('--yes', 'install a plugin of your own without asking, on a system that cannot cut it off from the network')
    .option('--json', 'print JSON')
    .action(install);
};

export const addUninstall: AddCommand = (plugins) => {
  plugins
    .command('uninstall')
    .description('remove a plugin with its schedules, history and state; the memories that it saved are kept')
    .argument('<plugin>', 'plugin name')
    .option('--json', 'print JSON')
    .action(uninstall);
};

async function install(
  reference: string,
  { sha256, allow, replace, yes = false, json = false }: InstallOptions,
): Promise<void> {
  await withPluginHere(
    reference,
    async ({ core, pluginHost }) => {
      const { plugins } = await core.plugins.list(LOCAL_USER);
      const from =
        plugins.some(({ slug, source }) => slug === reference && source === 'shipped') || !isFolder(reference)
          ? { slug: reference }
          : { folder: resolve(reference) };
      if ('folder' in from && !yes && !(await pluginHost.isolatesNetwork()) && !(await confirmTrust(json))) {
        return print('Nothing was installed.');
      }
      const plugin = await core.plugins.install(LOCAL_USER, from, {
        sha256: sha256 ?? null,
        allow: allow ?? null,
        replaces: replace === true,
      });
      if (json) return printJson(plugin);
      const { slug, version, title, scopes, permissions, jobs, observesCaptures, state } = plugin;
      print(`Installed ${slug} ${inert(version)}: ${inert(title)}`);
      print(`  SHA-256  ${plugin.sha256}`);
      print(`  scopes   ${scopes.length === 0 ? 'none' : scopes.join(', ')}`);
      if (permissions.length > 0) print(`  needs    ${permissions.map(({ permission }) => permission).join(', ')}`);
      if (observesCaptures) print('  hook     runs for each capture');
      for (const { jobId, title: what } of jobs) print(`  job      ${jobId}: ${inert(what)}`);
      if (state === 'disabled') {
        const missing = permissions.filter(({ allowed }) => !allowed).map(({ permission }) => permission);
        print(
          `It stays disabled until you grant what it needs: recollect plugins enable ${slug} --allow ${missing.join(',')}`,
        );
      }
      const [first] = jobs;
      if (first !== undefined && state === 'active') {
        print(`Run it now: recollect plugins run ${slug} ${first.jobId}`);
        print(
          `Schedule it: recollect plugins schedule ${slug} ${first.jobId}   (${describeInterval(first.defaultIntervalMinutes)})`,
        );
      }
    },
    allow,
  );
}

async function uninstall(slug: string, { json }: { json?: boolean }): Promise<void> {
  await withPluginHere(slug, async ({ core }) => {
    await core.plugins.uninstall(slug);
    if (json) printJson({ uninstalled: slug });
    else print(`${slug} is uninstalled. The memories that it saved and its changes to others are kept.`);
  });
}

/**
 * Asks for consent to a plugin that only Node.js keeps off the network (macOS, Windows, and systems on which this
 * account may not create network namespaces). Throws without a terminal.
 */
export async function confirmTrust(json: boolean): Promise<boolean> {
  const risk =
    'On this system only Node.js keeps a plugin off the network. Malicious code could get past it and act as you, with all your memories and files.';
  if (json || !process.stdin.isTTY)
    throw new InvalidOptionError(`Nothing was installed. ${risk} To install it, add --yes.`);
  print(risk);
  const answer = await confirm({ message: 'Install this plugin?', initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}

function isFolder(reference: string): boolean {
  return /[/\\]|^\.+$/.test(reference) || (existsSync(reference) && statSync(reference).isDirectory());
}

function readHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidOptionError('--sha256 must be 64 hexadecimal digits.');
}

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

function addPermission(text: string, before: PluginPermission[] = []): PluginPermission[] {
  const namedPermissions = text
    .split(',')
    .map((name) => pluginPermissions.find((permission) => permission === name.trim()));
  const validPermissions = namedPermissions.filter((permission) => permission !== undefined);
  if (validPermissions.length === namedPermissions.length) return [...before, ...validPermissions];
  throw new InvalidOptionError(`--allow must be one or more of: ${pluginPermissions.join(', ')}.`);
}

export const addNew: AddCommand = (plugins) => {
  plugins
    .command('new')
    .description('create a working plugin with a test, as a starting point for your own')
    .argument('<folder>', 'an empty or new folder')
    .option('--json', 'print JSON')
    .action(writeNew);
};

async function writeNew(path: string, { json }: { json?: boolean }): Promise<void> {
  const folder = resolve(path);
  const { slug, files } = await writeTemplate(folder, basename(folder));
  if (json) return printJson({ slug, folder, files });
  const quoted = /^[\w./~-]+$/.test(path) ? path : JSON.stringify(path);
  print(`Created the plugin ${slug} in ${folder}: ${files.join(', ')}.`);
  print(`Try it:  npm --prefix ${quoted} test\nThen:    recollect plugins install ${quoted}`);
  print('docs/plugins.md describes what a plugin can do.');
}
