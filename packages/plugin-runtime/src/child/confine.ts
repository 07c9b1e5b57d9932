import asyncHooks from 'node:async_hooks';
import Module, { isBuiltin, registerHooks, syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import { disarm, refuse } from './disarm.js';

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

/** Functions of `process` that reach other processes, the loader or open handles. */
const PROCESS_FUNCTIONS = [
  '_debugEnd',
  '_debugProcess',
  '_getActiveHandles',
  '_getActiveRequests',
  '_kill',
  '_linkedBinding',
  'binding',
  'dlopen',
  'execve',
  'getBuiltinModule',
  'initgroups',
  'kill',
  'loadEnvFile',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
];

/**
 * Removes the network (unless allowed), other processes, threads and the ways around the loader from this process.
 * Disarms the native handles first (`disarm.ts`), so that code which reaches a module in an unforeseen way still cannot
 * connect. Node's permission model covers files.
 */
export function confine(channel: Socket, hasNetwork: boolean, libraries: Readonly<Record<string, string>>): void {
  disarm(channel, hasNetwork);
  const allowed = new Set([...BUILTINS, ...(hasNetwork ? NETWORK : [])]);
  const demandAllowed = (builtin: string) => {
    const name = builtin.replace(/^node:/, '');
    if (allowed.has(name)) return;
    const why = NETWORK.includes(name) ? ' without the permission network' : '';
    throw new Error(`node:${name} is not available to plugins${why}.`);
  };
  registerHooks({
    resolve(specifier, context, next) {
      const library = Object.hasOwn(libraries, specifier) ? libraries[specifier] : undefined;
      const alias = aliases.get(specifier) ?? library;
      if (alias !== undefined) return { url: alias, shortCircuit: true };
      const resolved = next(specifier, context);
      if (resolved.url.startsWith('node:')) demandAllowed(resolved.url);
      return resolved;
    },
  });
  // A CommonJS file reaches this class as `module.constructor`. Later hooks would run before the one above.
  for (const name of ['createRequire', 'register', 'registerHooks']) refuse(Module, name, 'module');
  guardLoad(demandAllowed);
  // Both return the handles and sockets of this process.
  for (const name of ['createHook', 'executionAsyncResource']) refuse(asyncHooks, name, 'async_hooks');
  syncBuiltinESMExports();
  if (!hasNetwork) for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
  for (const name of PROCESS_FUNCTIONS) refuse(process, name, 'process');
  refuse(process.report, 'writeReport', 'process.report');
}

/** `Module._load` takes names of builtins past the hooks. */
function guardLoad(demandAllowed: (builtin: string) => void): void {
  const loader = Module as unknown as { _load(request: string, ...more: unknown[]): unknown };
  const { _load: load } = loader;
  const value = function (this: unknown, request: string, ...more: unknown[]) {
    const name = String(request);
    if (isBuiltin(name)) demandAllowed(name);
    return Reflect.apply(load, this, [name, ...more]);
  };
  Object.defineProperty(loader, '_load', { value, configurable: false, writable: false });
}
