import type { MemorySummary } from '@recollect/contract';
import { generatorOf, type Memory, pictureHashes, readingMinutes } from '../memory.js';
import type { ListedMemory } from '../ports/index.js';
import { excerptOfHead } from '../retrieval/make-excerpt.js';

/** The facts of a memory that every list shows. */
export function factsOf(memory: Memory & { chunkCount: number }): Omit<MemorySummary, 'excerpt'> {
  const { id, title, url, sourceType, sourceApp, captureMode, note, capturedAt, lastCapturedAt, updatedAt } = memory;
  return {
    id,
    title,
    url,
    sourceType,
    sourceApp,
    captureMode,
    tags: [...memory.tags],
    note,
    capturedAt,
    lastCapturedAt,
    updatedAt,
    starred: memory.starred,
    readState: memory.readState,
    progress: memory.progress,
    openedAt: memory.openedAt,
    minutes: readingMinutes(memory),
    place: memory.place,
    generatedBy: generatorOf(memory),
    ...pictureHashes(memory),
  };
}

/** A memory as an item of a list, with the beginning of its text. */
export function summaryOf(memory: ListedMemory): MemorySummary {
  return { ...factsOf(memory), excerpt: excerptOfHead(memory) };
}
