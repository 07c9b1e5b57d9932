import { signal } from '@preact/signals';
import type { MemorySummary, QueryResult } from '@recollect/contract';

/** A memory in a list: of everything, or of the results of a search. */
export interface Item {
  id: string;
  title: string;
  url: string | null;
  sourceType: MemorySummary['sourceType'];
  /** Undefined in results of a search. */
  captureMode?: MemorySummary['captureMode'] | undefined;
  excerpt: string;
  tags: readonly string[];
  capturedAt: string;
  starred: boolean;
  readState: MemorySummary['readState'];
  /** Where the user keeps it. */
  place: MemorySummary['place'];
  /** How much of it has been read: 0 to 1. */
  progress: number;
  /** About how long it takes to read; 0 for less than a minute. */
  minutes: number;
  /** The hashes of its picture and its site's icon, if it has them. */
  pictureHash?: string | undefined;
  faviconHash?: string | undefined;
  /** The plugin that wrote it. */
  generatedBy: string | null;
  /** How likely it answers the search. Undefined in lists. */
  score?: number | undefined;
  /** Why a search found it. Undefined in lists. */
  match?: QueryResult['match'] | undefined;
  /** How many texts of its page are saved. Undefined in lists. */
  versions?: number | undefined;
  /** Other results that it stands for. Undefined in lists. */
  similar?: QueryResult['similar'] | undefined;
}

/** The memories that are listed now. Null before the first answer. */
export const items = signal<readonly Item[] | null>(null);
/** Where the list continues. Null at its end. */
export const nextCursor = signal<string | null>(null);

/**
 * Shows a change of the list. Returns how to go back when the change fails: false if the list was read again in the
 * meantime, and must be read once more.
 */
export function showChange(show: () => void): () => boolean {
  const before = items.peek();
  show();
  const shown = items.peek();
  return () => {
    if (items.peek() !== shown) return false;
    items.value = before;
    return true;
  };
}

/** Changes some of the listed memories. */
export function patchItems(ids: ReadonlySet<string>, patch: (item: Item) => Partial<Item>): void {
  if (items.value === null) return;
  items.value = items.value.map((item) => (ids.has(item.id) ? { ...item, ...patch(item) } : item));
}

/** Takes memories off the list. */
export function dropItems(ids: ReadonlySet<string>): void {
  if (items.value === null) return;
  items.value = items.value.filter(({ id }) => !ids.has(id));
}

/** A memory as an item of a list. */
export function toItem(memory: Item): Item {
  const {
    id,
    title,
    url,
    sourceType,
    captureMode,
    excerpt,
    tags,
    capturedAt,
    starred,
    readState,
    place,
    progress,
    minutes,
    generatedBy,
  } = memory;
  const pictures = { pictureHash: memory.pictureHash, faviconHash: memory.faviconHash };
  return {
    id,
    title,
    url,
    sourceType,
    captureMode,
    excerpt,
    tags,
    capturedAt,
    starred,
    readState,
    place,
    progress,
    minutes,
    generatedBy,
    ...pictures,
  };
}
