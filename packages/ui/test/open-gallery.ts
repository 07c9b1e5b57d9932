import { fileURLToPath } from 'node:url';
import type { Browser } from '@recollect/browser';
import type { Page } from 'playwright-core';
import { build } from 'vite';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Opens a page with every component, bundled as an app would bundle them. */
export async function openGallery({ context }: Browser): Promise<Page> {
  const page = await context.newPage();
  await page.setContent('<!doctype html><html lang="en"><title>Gallery</title><body></body></html>');
  await page.addStyleTag({ content: await bundle('gallery.css') });
  await page.addScriptTag({ type: 'module', content: await bundle('gallery.ts') });
  await page.waitForSelector('main');
  return page;
}

async function bundle(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, target: 'chrome123', rolldownOptions: { input: here(name) } },
  });
  if (!('output' in built)) throw new Error('Vite returned no single bundle.');
  return built.output.map((file) => (file.type === 'chunk' ? file.code : file.source.toString())).join('\n');
}
