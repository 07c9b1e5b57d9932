import { type Facts, openTexts, type Texts } from '@recollect/in-memory-index';
import type Sqlite from 'better-sqlite3';
import { createTokenizer, type Tokenizer } from '../texts/create-tokenizer.js';
import { markOf } from '../texts/mark-texts.js';
import { createDocumentReader, toDocuments } from '../texts/read-documents.js';
import {
  finishFile,
  readHeader,
  readPart,
  removeFile,
  type TextFileHeader,
  type TextFileProgress,
  writePart,
} from '../texts/text-file.js';
import type { TextLane } from '../texts/text-memory.js';
import { userLabel } from '../vectors/labels.js';
import { viewControl } from '../vectors/vector-memory.js';

/** Changes that a search applies before it answers: a few milliseconds. If there are more, FTS5 answers. */
const MAX_CAUGHT_UP = 20;
/** The share of removed documents, and their least number, from which on the index should be loaded again. */
const MIN_UNUSED = { share: 0.3, documents: 20_000 };

export interface TextMemoryProcedures {
  /** Makes an empty index for the texts stored at a number of the change sequence. */
  resetTexts(sequence: number): void;
  /** Loads chunks after an id, and returns the last of them; null after the last of all. */
  loadTexts(after: number, limit: number): number | null;
  /**
   * Applies changes, of at most so many, and returns whether there may be more up to a number. Throws where the index
   * cannot be continued.
   */
  catchUpTexts(sequence: number, limit: number): boolean;
  countTexts(): number;
  /** The header of a file with an image of these texts that fits. Null without one: it is then removed. */
  findTextFile(file: string): TextFileHeader | null;
  /** Loads the next part of a file. Null where the file is damaged: the index must then be emptied. */
  readTextFile(file: string, header: TextFileHeader, progress: TextFileProgress): TextFileProgress | null;
  /**
   * Writes the next part of an image to a file, and with the last one, finishes it. Null after that, and if the index
   * has changed since the first part.
   */
  writeTextFile(file: string, state: TextState, progress: TextFileProgress): TextFileProgress | null;
}

/** The state of an index that an image is made of. */
export interface TextState {
  sequence: number;
  generation: number;
}

/** The text index in memory, for one thread. */
export interface MemoryTexts extends TextMemoryProcedures {
  tokenizer: Tokenizer;
  /**
   * Applies changes up to a number, then returns the filter values of chunks. Undefined if the index is not loaded, too
   * far behind or locked by a writer.
   */
  factsOf(sequence: number, chunkIds: readonly number[]): (Facts | undefined)[] | undefined;
  /** Returns the memories of a user's chunks. Omits chunks that are not in memory. Does not wait for changes. */
  memoriesOf(userId: string, chunkIds: readonly number[]): Map<number, string>;
  /**
   * Does work with the index after every change up to a number. Undefined if the index is not loaded or too far behind,
   * and if it was emptied during the work.
   */
  use<Result>(sequence: number, work: (texts: Texts) => Result): Result | undefined;
}

/** The change log no longer reaches back to the state of the index. */
export const TEXT_LOG_TRIMMED = 'TEXTS_LOG_TRIMMED';

export function createMemoryTexts(database: Sqlite.Database, { memory, lane }: TextLane): MemoryTexts {
  const texts = openTexts(memory.texts, lane);
  const control = viewControl(memory.control);
  const reader = createDocumentReader(database);
  const tokenizer = createTokenizer();

  const catchUp = (limit: number) => {
    const { generation, sequence } = control;
    const read = reader.readChanges(sequence, limit);
    if (read === null) throw Object.assign(new Error('The change log was trimmed.'), { code: TEXT_LOG_TRIMMED });
    const fresh = texts.change(({ describe }) => {
      if (control.sequence >= read.newest || control.generation !== generation) return [];
      // Most changes of a memory do not change its words.
      return read.rows.filter(({ id, digest, facts }) => !describe({ id, digest, ...facts }));
    });
    const documents = toDocuments(fresh, tokenizer);
    texts.change(({ put, remove }) => {
      // Another thread may have read a newer state of the same memories.
      if (control.sequence >= read.newest || control.generation !== generation) return;
      for (const id of read.removed) remove(id);
      for (const document of documents) put(document);
      control.sequence = read.newest;
    });
    const { documents: left, added } = texts.size();
    control.isWasteful = added - left > Math.max(MIN_UNUSED.documents, MIN_UNUSED.share * added);
  };

  /** Whether the index has every change up to a number, after applying a few. */
  const isCurrent = (sequence: number): boolean => {
    if (control.state !== 'ready' || sequence - control.sequence > MAX_CAUGHT_UP) return false;
    try {
      if (control.sequence < sequence) catchUp(MAX_CAUGHT_UP);
      return control.sequence >= sequence;
    } catch (error) {
      // The next search loads the index again, or reports why it cannot.
      if ((error as { code?: unknown }).code !== 'VECTORS_LOCKED') control.state = 'failed';
      return false;
    }
  };

  const use: MemoryTexts['use'] = (sequence, work) => {
    const { generation } = control;
    if (!isCurrent(sequence)) return undefined;
    const result = work(texts);
    return control.state === 'ready' && control.generation === generation ? result : undefined;
  };

  return {
    tokenizer,
    use,

    factsOf: (sequence, chunkIds) => use(sequence, (index) => index.readFacts(chunkIds)),

    memoriesOf(userId, chunkIds) {
      const label = userLabel(userId);
      return use(control.sequence, (index) => index.readGroups(chunkIds, label)) ?? new Map();
    },

    resetTexts(sequence) {
      texts.reset();
      control.sequence = sequence;
      control.isWasteful = false;
    },

    loadTexts(after, limit) {
      const read = reader.readPage(after, limit);
      if (read === null) {
        tokenizer.forget();
        return null;
      }
      const documents = toDocuments(read.texts, tokenizer);
      texts.change(({ put }) => {
        for (const document of documents) put(document);
      });
      return read.last;
    },

    catchUpTexts(sequence, limit) {
      if (control.sequence < sequence) catchUp(limit);
      return control.sequence < sequence;
    },

    countTexts: () => texts.size().documents,

    findTextFile(file) {
      const header = readHeader(file);
      if (header !== null && header.mark === markOf(database, tokenizer, header.sequence)) return header;
      removeFile(file);
      return null;
    },

    readTextFile(file, header, progress) {
      if (progress.from === 0) texts.image.begin(header.bytes);
      const next = readPart(file, texts.image, header, progress);
      const isWhole = next !== null && (next.from < header.bytes || next.checksum === header.checksum);
      if (isWhole) return next;
      removeFile(file);
      return null;
    },

    writeTextFile(file, state, progress) {
      const isSame = () => control.sequence === state.sequence && control.generation === state.generation;
      if (!isSame()) return null;
      const next = writePart(file, texts.image, progress);
      const bytes = texts.image.bytes();
      if (!isSame() || next.from < bytes) return isSame() ? next : null;
      const mark = markOf(database, tokenizer, state.sequence);
      if (mark !== null) finishFile(file, { sequence: state.sequence, mark, bytes, checksum: next.checksum });
      return null;
    },
  };
}
