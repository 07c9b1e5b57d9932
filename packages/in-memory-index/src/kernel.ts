import { readFileSync } from 'node:fs';

/**
 * The exports of the kernel. Addresses and counts are unsigned, but WebAssembly returns signed numbers below 2³¹ only.
 */
export interface Kernel {
  prepare(lanes: number): number;
  reset(dimensions: number, hasRows: boolean): number;
  dimensions(): number;
  hasRows(): number;
  put(lane: number, id: number, value: number, labels: number): number;
  describe(lane: number, id: number, value: number, labels: number): number;
  remove(id: number): number;
  scanRows(lane: number, limit: number, isFiltered: boolean): number;
  scanSigns(lane: number, wanted: number, isFiltered: boolean): number;
  rescore(lane: number, candidates: number, limit: number): number;
  scoreId(lane: number, id: number): number;
  scoreRow(lane: number): number;
  idOf(slot: number): number;
  count(): number;
  used(): number;
  wasted(): number;
  addressOf(lane: number, part: number): number;
}

/** The offsets and capacities of the parts of a lane; the kernel's layout.ts exports them as globals. */
export interface LaneLayout {
  PRODUCT_FACTOR: number;
  NORM_FACTOR: number;
  FROM: number;
  TO: number;
  WANTED_COUNT: number;
  NONE_OF: number;
  WANTED: number;
  GIVEN: number;
  SCORES: number;
  HITS: number;
  CANDIDATES: number;
  QUERY: number;
  QUERY_SIGNS: number;
  ROW: number;
  MAX_HITS: number;
  MAX_CANDIDATES: number;
  MAX_LABELS: number;
  MAX_DIMENSIONS: number;
}

const NAMES = [
  'PRODUCT_FACTOR',
  'NORM_FACTOR',
  'FROM',
  'TO',
  'WANTED_COUNT',
  'NONE_OF',
  'WANTED',
  'GIVEN',
  'SCORES',
  'HITS',
  'CANDIDATES',
  'QUERY',
  'QUERY_SIGNS',
  'ROW',
  'MAX_HITS',
  'MAX_CANDIDATES',
  'MAX_LABELS',
  'MAX_DIMENSIONS',
] as const satisfies (keyof LaneLayout)[];

/** The compiled kernel; null where the processor or the engine cannot run it. */
export function compileKernel(): WebAssembly.Module | null {
  return compileModule('./kernel.wasm');
}

/** An instance of the kernel over a memory. Each thread needs its own. */
export function startKernel(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): { kernel: Kernel; layout: LaneLayout } {
  return startModule<Kernel, keyof LaneLayout>(module, memory, NAMES);
}

/** Compiles a module beside this file. Null where the processor or the engine cannot run it. */
export function compileModule(file: string): WebAssembly.Module | null {
  const bytes = readFileSync(new URL(file, import.meta.url));
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

/**
 * Makes an instance of a module over a memory. The exports of a module have no types: `Exports` and the names repeat
 * the source of the module.
 */
export function startModule<Exports, Name extends string>(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  names: readonly Name[],
): { kernel: Exports; layout: Record<Name, number> } {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const globals = exports as Record<string, WebAssembly.Global>;
  const layout = Object.fromEntries(names.map((name) => [name, Number(globals[name]?.value)]));
  return { kernel: exports as Exports, layout: layout as Record<Name, number> };
}
