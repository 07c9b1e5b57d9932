import { registerHooks } from 'node:module';

/** Parts of Node that a plugin may use. Files it sees through Node's permission model: its own folder, to read. */
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

/** What a plugin imports of ours, wherever its folder lies. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['@recollect/plugin-runtime', new URL('../index.js', import.meta.url).href],
  ['typebox', import.meta.resolve('typebox')],
  ['typebox/value', import.meta.resolve('typebox/value')],
]);

/**
 * Takes away what a plugin has no use for: the network unless it was allowed, other processes, and the ways back to
 * either. This keeps honest plugins within what they declare. Against a hostile one it is no wall: Node says of its
 * permission model that it is none.
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
        throw new Error(`${resolved.url} is not there for plugins${why}.`);
      }
      return resolved;
    },
  });
  if (!hasNetwork) for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
  const refuse = () => {
    throw new Error('A plugin has no business with other processes.');
  };
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'getBuiltinModule']) {
    Object.defineProperty(process, name, { value: refuse, configurable: false, writable: false });
  }
}
