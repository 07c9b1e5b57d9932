import { posix } from 'node:path';
import type { House } from './read-house.js';

/**
 * A worker thread loads little: each starts anew, and all of core costs it more processor time than the thread itself.
 * `@recollect/core/threads` has the parts of core that threads need.
 */
export function lightThreads({ modules }: House): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  return modules
    .filter(({ path }) => /-thread\.ts$/.test(path))
    .flatMap((thread) => {
      const loaded = new Set([thread]);
      for (const { path, imports } of loaded)
        for (const { specifier, isType } of imports) {
          const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
          const module = isType || !specifier.startsWith('.') ? undefined : byPath.get(target);
          if (module !== undefined) loaded.add(module);
        }
      return [...loaded]
        .filter(({ imports }) => imports.some(({ specifier, isType }) => specifier === '@recollect/core' && !isType))
        .map(({ path }) => `${path} loads all of core into the thread ${thread.path}`);
    });
}
