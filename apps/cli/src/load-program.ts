import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** A module of the bundle as CommonJS knows it. */
interface LoadedModule {
  exports: unknown;
}

type Wrapper = (exports: unknown, require: (id: string) => unknown, module: LoadedModule, ...paths: string[]) => void;

export interface LoadedProgram<T> {
  exports: T;
  /** Keeps what V8 has compiled of all loaded modules, or only of the modules that the cache lacks. */
  keep(which: 'all' | 'missing'): void;
}

/**
 * Loads a bundle of CommonJS modules in one folder, with the bytecode that earlier runs have kept in `cache`. Node's
 * own compile cache keeps a module as V8 compiles it before it runs, and so lacks the functions that are compiled at
 * their first call, which are most of them. `createCachedData` includes these, if it is called after they ran
 * (https://v8.dev/blog/improved-code-caching). A file that is missing, damaged or of another V8 is ignored. Who can
 * write to `cache` decides what the program does, as with the bundle itself.
 *
 * @param main the path of the module to begin with, whose exports are `T`
 */
export function loadProgram<T>(main: string, cache: string): LoadedProgram<T> {
  const folder = dirname(main);
  // V8 only takes what the same version of it, with the same flags, has compiled for such a processor.
  const cacheFolder = join(cache, cachedDataVersionTag().toString(16));
  const outside = createRequire(main);
  const modules = new Map<string, LoadedModule>();
  const scripts = new Map<string, { script: Script; source: number; isMissing: boolean }>();

  const load = (name: string): unknown => {
    const loaded = modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const module: LoadedModule = { exports: {} };
    // Modules may need each other.
    modules.set(name, module);
    try {
      run(name, module);
    } catch (error) {
      // The next call tries again: a process that may open no more files may open them later.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  const run = (name: string, module: LoadedModule) => {
    const path = join(folder, name);
    const text = readFileSync(path);
    const source = crc32(text);
    const cachedData = readCode(join(cacheFolder, name), source);
    const script = new Script(`${OPENING}${text}\n})`, {
      filename: path,
      columnOffset: -OPENING.length,
      cachedData,
    });
    scripts.set(name, { script, source, isMissing: cachedData === undefined || script.cachedDataRejected === true });
    const wrapper: Wrapper = script.runInThisContext();
    wrapper(module.exports, require, module, path, folder);
  };
  const require = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : outside(id));

  return {
    exports: load(basename(main)) as T,
    keep(which) {
      const wanted = [...scripts].filter(([, { isMissing }]) => which === 'all' || isMissing);
      if (wanted.length === 0) return;
      try {
        mkdirSync(cacheFolder, { recursive: true });
        for (const [name, { script, source }] of wanted)
          writeCode(join(cacheFolder, name), source, script.createCachedData());
      } catch {
        // A folder that cannot be written to, or a full disk, costs only time.
      }
    },
  };
}

/** The wrapper that Node puts around a module. */
const OPENING = '(function (exports, require, module, __filename, __dirname) {';

/** The bytes of the checksum after the code. */
const CHECKSUM = 4;

/**
 * The code that was kept of a module with this checksum. V8 checks only the length of a module, and nothing of the
 * code, which a disk may have changed: so the checksum at the end covers both.
 */
function readCode(path: string, source: number): Buffer | undefined {
  try {
    const content = readFileSync(path);
    const code = content.subarray(0, -CHECKSUM);
    return content.readUInt32LE(code.length) === crc32(code, source) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a whole file or none, since other processes may read it or write it at this time. */
function writeCode(path: string, source: number, code: Buffer): void {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(code, source));
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, Buffer.concat([code, checksum]));
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
