import type { Question, Row } from './dataset.js';

/** A program that finds rows by text and vector. Ids are row ids. */
export interface Engine {
  /** Stores the rows and prepares for searches. */
  fill(rows: Iterable<Row>): Promise<void>;
  /** The nearest vectors, nearest first; missing where the engine searches vectors only together with words. */
  nearest?(vector: Float32Array, limit: number): Promise<number[]>;
  /** Text and vectors together, with the texts of the results; missing where the engine has no full text. */
  hybrid?(question: Question, limit: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Opens an engine whose files are in an empty folder. */
export type OpenEngine = (folder: string) => Promise<Engine>;
