import type { ShippedPlugin } from '@recollect/plugin-runtime/host';
import autoTag from './auto-tag/index.js';
import dailyDigest from './daily-digest/index.js';
import linkRot from './link-rot/index.js';
import related from './related/index.js';

/** The plugins that ship with Recollect, and the folders of their code. */
export const shippedPlugins: readonly ShippedPlugin[] = [
  { definition: autoTag, folder: new URL('./auto-tag/', import.meta.url) },
  { definition: dailyDigest, folder: new URL('./daily-digest/', import.meta.url) },
  {
    definition: linkRot,
    folder: new URL('./link-rot/', import.meta.url),
    libraries: { 'ipaddr.js': import.meta.resolve('ipaddr.js') },
  },
  { definition: related, folder: new URL('./related/', import.meta.url) },
];
