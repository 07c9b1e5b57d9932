import { compileKernel, startKernel } from './kernel.js';

/** Memory for vectors that threads share: it can be posted to a thread, which opens it with `openVectors`. */
export interface SharedVectors {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}

export interface SharedVectorsOptions {
  /** Maximum of bytes, up to 4 GB. Memory is allocated on first use. */
  budget: number;
  /** How many threads may open the vectors. */
  threads: number;
}

export const PAGE = 65_536;
export const MAX_PAGES = 65_536;

/**
 * Reserves memory for vectors. Null where that is impossible: the processor lacks SIMD, the budget does not suffice for
 * the threads (1 MB each), or the system gives no such range of addresses.
 */
export function createSharedVectors({ budget, threads }: SharedVectorsOptions): SharedVectors | null {
  const module = compileKernel();
  const maximum = Math.min(MAX_PAGES, Math.floor(budget / PAGE));
  if (module === null || maximum < 1) return null;
  const memory = reserveMemory(1, maximum);
  if (memory === null || startKernel(module, memory).kernel.prepare(threads) === 0) return null;
  return { module, memory };
}

/** Reserves addresses, in pages, which a limit of the system may refuse. */
export function reserveMemory(initial: number, maximum: number): WebAssembly.Memory | null {
  try {
    return new WebAssembly.Memory({ initial, maximum, shared: true });
  } catch {
    return null;
  }
}
