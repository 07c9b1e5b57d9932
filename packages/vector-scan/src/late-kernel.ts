import { readFileSync } from 'node:fs';
import type { SumGreatest } from './sum-in-script.js';

/** The exports of the kernel; assembly/late-interaction.ts. */
interface LateKernel {
  memory: WebAssembly.Memory;
  score(
    dimensions: number,
    groups: number,
    query: number,
    table: number,
    passages: number,
    counts: number,
    signs: number,
    scores: number,
  ): void;
}

const PAGE = 65_536;
/** Vectors of the query that are compared at a time. */
const LANES = 4;

/** Starts the kernel that compares token vectors with signs. Null where the processor or the engine cannot run it. */
export function startLateKernel(): SumGreatest | null {
  const bytes = readFileSync(new URL('./late-interaction.wasm', import.meta.url));
  if (!WebAssembly.validate(bytes)) return null;
  // The exports of a module have no types; `LateKernel` repeats the types of the source.
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { memory, score } = exports as unknown as LateKernel;

  return (query, dimensions, passages) => {
    const groups = Math.ceil(query.length / dimensions / LANES);
    const size = { query: groups * dimensions * 16, table: dimensions * 64, words: passages.length * 4 };
    const at = { query: 0, table: size.query, counts: size.query + size.table, scores: 0, signs: 0 };
    at.scores = at.counts + size.words;
    at.signs = at.scores + size.words;
    const end = passages.reduce((sum, { length }) => sum + length, at.signs);
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));

    placeInLanes(query, dimensions, new Float32Array(memory.buffer, at.query, groups * dimensions * LANES));
    const counts = new Uint32Array(memory.buffer, at.counts, passages.length);
    const scores = new Float32Array(memory.buffer, at.scores, passages.length).fill(0);
    const signs = new Uint8Array(memory.buffer, at.signs);
    let offset = 0;
    for (const [index, passage] of passages.entries()) {
      counts[index] = (passage.length * 8) / dimensions;
      signs.set(passage, offset);
      offset += passage.length;
    }
    score(dimensions, groups, at.query, at.table, passages.length, at.counts, at.signs, at.scores);
    return scores;
  };
}

/**
 * Puts vectors into groups of four, whose components alternate. Vectors that are missing in the last group are zero,
 * and add nothing.
 */
function placeInLanes(query: Float32Array, dimensions: number, target: Float32Array): void {
  target.fill(0);
  for (let index = 0; index < query.length; index++) {
    const vector = Math.floor(index / dimensions);
    const group = Math.floor(vector / LANES);
    target[(group * dimensions + (index % dimensions)) * LANES + (vector % LANES)] = query[index] as number;
  }
}
