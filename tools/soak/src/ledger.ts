import { pick } from './random.js';

/**
 * A memory that the server acknowledged. `contents` and `states` hold what the store may contain: more than one value
 * only after a change whose answer was lost.
 */
export interface Entry {
  id: string;
  kind: 'note' | 'page' | 'conversation';
  url: string | null;
  /** Texts, or the turns of a conversation as JSON. Empty for a raw page, whose text the server extracts. */
  contents: string[];
  states: ('live' | 'trash')[];
  tags: Set<string>;
  highlights: Set<string>;
  /** Whether a request is changing it. Each memory has one change at a time, so that its content is known. */
  isBusy: boolean;
}

/** The state that the server has acknowledged. */
export interface Ledger {
  entries: ReadonlyMap<string, Entry>;
  add(entry: Pick<Entry, 'id' | 'kind' | 'url' | 'contents'>): void;
  /** A memory that certainly is in this state and that no request is changing. */
  choose(state: 'live' | 'trash', kind?: Entry['kind']): Entry | undefined;
}

/** Attempts to find a memory at random, before giving up. */
const ATTEMPTS = 50;

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  const ids: string[] = [];
  return {
    entries,
    add(entry) {
      if (entries.has(entry.id)) throw new Error(`The server gave the id ${entry.id} to two memories.`);
      entries.set(entry.id, { ...entry, states: ['live'], tags: new Set(), highlights: new Set(), isBusy: false });
      ids.push(entry.id);
    },
    choose(state, kind) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const entry = entries.get(pick(ids) ?? '');
        const fits = entry?.states.length === 1 && entry.states[0] === state && (kind ?? entry.kind) === entry.kind;
        if (entry !== undefined && fits && !entry.isBusy) return entry;
      }
      return undefined;
    },
  };
}
