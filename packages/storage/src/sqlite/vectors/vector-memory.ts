import { createSharedVectors, type SharedVectors } from '@recollect/in-memory-index';

/** The vectors that a process keeps in memory, as its threads share them. */
export interface VectorMemory {
  vectors: SharedVectors;
  control: SharedArrayBuffer;
}

/** The state of the vectors in memory, in words that the threads share. */
export interface Control {
  state: 'empty' | 'loading' | 'ready' | 'failed';
  /** Counts how often the vectors were loaded. A search that sees it change has read some of them only. */
  generation: number;
  /** The row in `models` of the model that made the vectors. */
  modelId: number;
  /** The number of the newest change that they contain. */
  sequence: number;
  /** Rows that were left out, because they have other dimensions. */
  skipped: number;
  /** Whether so much of the memory is wasted that the vectors should be loaded again. */
  isWasteful: boolean;
}

const STATES = ['empty', 'loading', 'ready', 'failed'] as const;

/** Reserves memory for vectors. Null without a budget, and on a machine that cannot scan them. */
export function createVectorMemory(megabytes: number, threads: number): VectorMemory | null {
  const vectors = createSharedVectors({ budget: megabytes * 2 ** 20, threads });
  return vectors === null ? null : { vectors, control: new SharedArrayBuffer(48) };
}

/** A view of the shared words. */
export function viewControl(buffer: SharedArrayBuffer): Control {
  const words = new Float64Array(buffer);
  const word = (at: number) => ({
    get: () => words[at] ?? 0,
    set(value: number) {
      words[at] = value;
    },
  });
  const state = word(0);
  const isWasteful = word(5);
  return Object.defineProperties({} as Control, {
    state: { get: () => STATES[state.get()], set: (name: Control['state']) => state.set(STATES.indexOf(name)) },
    generation: word(1),
    modelId: word(2),
    sequence: word(3),
    skipped: word(4),
    isWasteful: { get: () => isWasteful.get() === 1, set: (value: boolean) => isWasteful.set(value ? 1 : 0) },
  });
}
