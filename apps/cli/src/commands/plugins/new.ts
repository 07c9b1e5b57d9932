import { basename, resolve } from 'node:path';
import { writeTemplate } from '@recollect/plugin-runtime/template';
import { print, printJson } from '../../terminal/output.js';
import type { AddCommand } from '../command.js';

export const addNew: AddCommand = (plugins) => {
  plugins
    .command('new')
    .description('create a working plugin with a test, as a starting point for your own')
    .argument('<folder>', 'an empty or new folder')
    .option('--json', 'print JSON')
    .action(writeNew);
};

async function writeNew(given: string, { json }: { json?: boolean }): Promise<void> {
  const folder = resolve(given);
  const { slug, files } = await writeTemplate(folder, basename(folder));
  if (json) return printJson({ slug, folder, files });
  const quoted = /^[\w./~-]+$/.test(given) ? given : JSON.stringify(given);
  print(`Created the plugin ${slug} in ${folder}: ${files.join(', ')}.`);
  print(`Try it:  npm --prefix ${quoted} test\nThen:    recollect plugins install ${quoted}`);
  print('docs/plugins.md describes what a plugin can do.');
}
