import { MAX_PAGES, PAGE, reserveMemory, type SharedVectorsOptions } from './shared-vectors.js';
import { compileTextKernel, startTextKernel } from './text-kernel.js';

/** Memory for a text index that threads share: it can be posted to a thread, which opens it with `openTexts`. */
export interface SharedTexts {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
}

/** Pages for the lanes, of which only those in use take memory. */
const LANE_PAGES = 720;

/**
 * Reserves memory for a text index. Null where that is impossible: the processor lacks SIMD, the budget is below 64 MB,
 * there are more than 16 threads, or the system gives no such range of addresses.
 */
export function createSharedTexts({ budget, threads }: SharedVectorsOptions): SharedTexts | null {
  const module = compileTextKernel();
  const maximum = Math.min(MAX_PAGES, Math.floor(budget / PAGE));
  if (module === null || maximum <= LANE_PAGES) return null;
  const memory = reserveMemory(LANE_PAGES, maximum);
  if (memory === null) return null;
  const { kernel, layout } = startTextKernel(module, memory);
  return threads <= layout.LANES && kernel.reset() !== 0 ? { module, memory } : null;
}
