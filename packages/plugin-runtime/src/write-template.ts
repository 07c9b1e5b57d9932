import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecollectError } from '@recollect/core';
import { isPluginName } from './plugin-name.js';

const template = new URL('../template/', import.meta.url);

/**
 * Writes a working plugin and its test into an empty or new folder. Derives the slug from the name. Returns the slug
 * and the files written. Throws PLUGIN_INVALID when the folder is not empty.
 *
 * @example
 * await writeTemplate('plugins/mine', 'My plugin'); // { slug: 'my-plugin', files: ['package.json', …] }
 */
export async function writeTemplate(folder: string, name: string): Promise<{ slug: string; files: string[] }> {
  const tidied = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|(?<!-)-+$/g, '')
    .slice(0, 50);
  const slug = isPluginName(tidied) ? tidied : 'reading-time';
  const existing = await readdir(folder).catch(() => []);
  if (existing.length > 0) {
    throw new RecollectError('PLUGIN_INVALID', 'This folder is not empty. Choose an empty or a new folder.');
  }
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: slug,
    version: '0.1.0',
    private: true,
    type: 'module',
    main: 'index.js',
    scripts: { test: `"${process.execPath}" --import ${new URL('./register.js', import.meta.url).href} --test` },
  };
  const files = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'index.js': (await readFile(new URL('index.js', template), 'utf8')).replaceAll('reading-time', slug),
    'index.test.js': await readFile(new URL('index.test.js', template), 'utf8'),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
  return { slug, files: Object.keys(files) };
}
