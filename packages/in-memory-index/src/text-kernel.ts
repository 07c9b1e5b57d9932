import { compileModule, startModule } from './kernel.js';

/** The exports of the kernel of full text; assembly/text/index.ts. */
export interface TextKernel {
  reset(): number;
  put(lane: number, id: number, value: number, labels: number, length: number, digest: number, terms: number): number;
  describe(lane: number, id: number, value: number, labels: number, digest: number): number;
  remove(id: number): number;
  facts(lane: number, count: number): number;
  groups(lane: number, count: number, label: number): void;
  termOf(lane: number, bytes: number, mayAdd: boolean): number;
  termsFrom(lane: number, bytes: number, limit: number): number;
  unite(lane: number, term: number, place: number): number;
  begin(lane: number, most: number): void;
  want(lane: number, id: number): number;
  select(lane: number, term: number, isFiltered: boolean): number;
  selectUnited(lane: number, from: number, count: number, isFiltered: boolean): number;
  candidates(lane: number): number;
  countEligible(lane: number, term: number, limit: number): number;
  score(lane: number, term: number, rarity: number): void;
  scoreUnited(lane: number, from: number, count: number, rarity: number): void;
  best(lane: number, limit: number): number;
  newest(lane: number, terms: number, limit: number, isFiltered: boolean): number;
  removedWith(lane: number, term: number, from: number, to: number): number;
  idOf(slot: number): number;
  generation(): number;
  count(): number;
  tokens(): number;
  terms(): number;
  slots(): number;
  removals(): number;
  postings(term: number): number;
  used(): number;
  wasted(): number;
  addressOf(lane: number, part: number): number;
}

const NAMES = [
  'FROM',
  'TO',
  'WANTED_COUNT',
  'WANTED',
  'NONE_OF',
  'GIVEN',
  'TEXT',
  'GIVEN_TERMS',
  'GROUP',
  'GROUP_BYTES',
  'CANDIDATES',
  'CANDIDATE_SCORES',
  'BEST',
  'BEST_SCORES',
  'UNITED',
  'UNITED_WEIGHTS',
  'MAX_LABELS',
  'MAX_CANDIDATES',
  'MAX_UNITED',
  'NO_DOCUMENT',
  'MAX_TERM_BYTES',
  'MAX_GIVEN_TERMS',
  'MAX_LABEL_WORDS',
  'MAX_LOOKED_UP',
  'LANES',
  'FIRST_LANE',
  'FIRST_FREE',
] as const;

/** The offsets and capacities of the parts of a lane. */
export type TextLayout = Record<(typeof NAMES)[number], number>;

/** The compiled kernel; null where the processor or the engine cannot run it. */
export function compileTextKernel(): WebAssembly.Module | null {
  return compileModule('./text.wasm');
}

/** An instance of the kernel over a memory. Each thread needs its own. */
export function startTextKernel(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): { kernel: TextKernel; layout: TextLayout } {
  return startModule<TextKernel, (typeof NAMES)[number]>(module, memory, NAMES);
}
