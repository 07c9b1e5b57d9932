import { createSharedTexts, type SharedTexts } from '@recollect/in-memory-index';

/** The text index that a process keeps in memory, as its threads share it. */
export interface TextMemory {
  texts: SharedTexts;
  /** The state of the index (`viewControl`), without a model. */
  control: SharedArrayBuffer;
}

/** One thread's part of the text index in memory. */
export interface TextLane {
  memory: TextMemory;
  /** Which of the threads it is, from 0. */
  lane: number;
}

/** Reserves memory for a text index. Null without a budget, and on a machine that cannot search it. */
export function createTextMemory(megabytes: number, threads: number): TextMemory | null {
  const texts = createSharedTexts({ budget: megabytes * 2 ** 20, threads });
  return texts === null ? null : { texts, control: new SharedArrayBuffer(48) };
}
