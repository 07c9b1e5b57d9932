import type { Actor, CaptureMode, Place, ReadState, SourceType } from '@recollect/contract';
import type { QueryFilter } from '@recollect/contract/query-syntax';
import type { Pictures } from './pictures/read-pictures.js';

/** The user of a single-user store. */
export const LOCAL_USER = 'local';

/** How a user has dealt with a memory. It changes without a change of the memory's content, and of `updatedAt`. */
export interface Reading {
  starred: boolean;
  readState: ReadState;
  /** How much of the text has been read: 0 to 1. */
  progress: number;
  /** When it was last opened to be read: ISO 8601 in UTC. */
  openedAt: string | null;
  /** Where the user keeps it. */
  place: Place;
}

/** The values of a memory that was just captured. */
export const UNOPENED: Reading = {
  starred: false,
  readState: 'unread',
  progress: 0,
  openedAt: null,
  place: 'inbox',
};

/** One document that a user keeps. Its text is the concatenation of its chunks, in order. */
export interface Memory extends Reading {
  id: string;
  title: string;
  url: string | null;
  sourceType: SourceType;
  sourceApp: string;
  captureMode: CaptureMode;
  tags: readonly string[];
  note: string | null;
  metadata: Readonly<Record<string, unknown>>;
  /** Whether it is a link: an address whose page has no saved text. Only this program says so, not a client. */
  isLink: boolean;
  /** Metadata from a raw page, such as author, siteName, published and language; empty for other captures. */
  page: Readonly<Record<string, string>>;
  /** Instants are ISO 8601 in UTC. */
  capturedAt: string;
  lastCapturedAt: string;
  updatedAt: string;
  /** Null if it was saved before this was recorded. */
  savedBy: Actor | null;
  /** The hashes of its picture and of its site's favicon, if there are any. */
  pictureHash?: string | undefined;
  faviconHash?: string | undefined;
}

/** A comment below a page: what somebody else wrote. */
export interface Comment {
  /** Empty if the page does not name it. */
  author: string;
  /** ISO 8601 in UTC. */
  published?: string;
  /** Markdown. */
  text: string;
}

/** A memory about to be stored. */
export interface NewMemory {
  memory: Memory;
  /** The URL without its fragment and tracking parameters (CAP-12); null for a note. */
  urlKey: string | null;
  /** Host of the URL without a leading `www.`; null for a note. */
  site: string | null;
  /** SHA-256 over URL key and text, hexadecimal. A user has one memory per hash (CAP-7). */
  contentHash: string;
  /**
   * The id of a live memory that counts as the same although its text differs (CAP-7). If it is gone by now, this is
   * new.
   */
  duplicateOf?: string | undefined;
  chunks: readonly string[];
  /**
   * The text of its file with the front matter, for when another file has the same text without it (`isOtherFile`,
   * CAP-14).
   */
  alternative?: Pick<NewMemory, 'chunks' | 'contentHash'>;
  /** Null if it is not a conversation. */
  conversation: Conversation | null;
  /** The comments below its page, in order; none if missing. */
  comments?: readonly Comment[];
  /** None if missing. */
  pictures?: Pictures;
}

/** Tells whether a conversation continues a stored one (CAP-13). */
export interface Conversation {
  turns: number;
  /** Where each turn starts in the text, in UTF-16 code units. */
  starts: readonly number[];
  /**
   * The chunks after the first `turns` turns; null if `text` is not the text of those turns, or if nothing follows
   * them.
   */
  chunksAfter(turns: number, text: string): readonly string[] | null;
}

/** Conditions on a memory. Stores read their values by `valuesOf`. */
export type MemoryFilter = QueryFilter;
export { valuesOf } from '@recollect/contract/query-syntax';

/** The name of the plugin that wrote a memory. Null for what someone saved. */
export function generatorOf({ savedBy }: Pick<Memory, 'savedBy'>): string | null {
  return savedBy?.client === 'plugin' ? (savedBy.name ?? 'plugin') : null;
}

/** Minutes that a reader takes for a chunk: about 130 words, at 230 words per minute. */
const MINUTES_PER_CHUNK = 0.57;

/**
 * About how many minutes it takes to read a memory; 0 for less than one. Counting chunks costs the same for every
 * length. The last chunk is half full on average.
 *
 * @example
 * readingMinutes({ chunkCount: 7 }); // 4
 */
export function readingMinutes({ chunkCount }: { chunkCount: number }): number {
  return Math.max(0, Math.round((chunkCount - 0.5) * MINUTES_PER_CHUNK));
}

/** The hashes of a memory's pictures, as the interface has them: only those that exist. */
export function pictureHashes({ pictureHash, faviconHash }: Pick<Memory, 'pictureHash' | 'faviconHash'>) {
  return {
    ...(pictureHash === undefined ? {} : { pictureHash }),
    ...(faviconHash === undefined ? {} : { faviconHash }),
  };
}
