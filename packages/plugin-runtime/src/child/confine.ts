import { registerHooks } from 'node:module';

/** Node modules that a plugin may import. Node's permission model limits file access to reading its own folder. */
const BUILTINS = new Set([
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'constants',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'timers',
  'timers/promises',
  'url',
  'util',
  'util/types',
  'zlib',
]);
const NETWORK = ['dns', 'dns/promises', 'http', 'http2', 'https', 'net', 'tls'];

/** Where a module of the bundle is (build.mjs), seen from there and from the folder of this module. */
const bundled = (name: string) => new URL(`../bundle/${name}.js`, import.meta.url).href;

/** Modules that a plugin can import from any folder. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['@recollect/plugin-runtime', bundled('plugin')],
  ['typebox', bundled('typebox')],
  ['typebox/value', bundled('typebox-value')],
]);

/**
 * Removes access to what a plugin does not need: the network unless allowed, other processes, and ways around both.
 * This keeps honest plugins to what they declare. It does not stop a hostile plugin: Node says that its permission
 * model is not meant for that.
 */
export function confine(hasNetwork: boolean, libraries: Readonly<Record<string, string>>): void {
  const allowed = new Set([...BUILTINS, ...(hasNetwork ? NETWORK : [])]);
  registerHooks({
    resolve(specifier, context, next) {
      const library = Object.hasOwn(libraries, specifier) ? libraries[specifier] : undefined;
      const alias = aliases.get(specifier) ?? library;
      if (alias !== undefined) return { url: alias, shortCircuit: true };
      const resolved = next(specifier, context);
      if (resolved.url.startsWith('node:') && !allowed.has(resolved.url.slice('node:'.length))) {
        const isNetwork = NETWORK.includes(resolved.url.slice('node:'.length));
        const why = isNetwork ? ' without the permission network' : '';
        throw new Error(`${resolved.url} is not available to plugins${why}.`);
      }
      return resolved;
    },
  });
  if (!hasNetwork) for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
  const refuse = () => {
    throw new Error('This process function is not available to plugins.');
  };
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'getBuiltinModule']) {
    Object.defineProperty(process, name, { value: refuse, configurable: false, writable: false });
  }
}
