import type { Capture } from '@recollect/contract';
import { del, get, set } from 'idb-keyval';

/** A capture that waits for the server. */
export interface Waiting {
  id: string;
  /** The Idempotency-Key of every attempt. An edited capture gets a new one, because it is another request. */
  key: string;
  title: string;
  /** When the capture was made, in ISO 8601. */
  at: string;
  /** Why the server refused it; null if it did not. */
  refusal: string | null;
}

/** One version of an entry. */
type Version = Pick<Waiting, 'id' | 'key'>;

interface Stored extends Waiting {
  /** Missing when the capture is kept in IndexedDB, under its key. */
  capture?: Capture;
}

/** The browser has no space left for the capture. */
export class OutboxFullError extends Error {
  override readonly name = 'OutboxFullError';
}

const PREFIX = 'outbox:';
/** Captures of more characters go to IndexedDB, because extension storage is limited to 10 MB in total. */
const MAX_STORAGE_CHARACTERS = 1_000_000;

/** Runs changes to entries one at a time, because one window may send a capture while another one edits it. */
function withLock<T>(change: () => Promise<T>): Promise<T> {
  return navigator.locks.request('outbox entries', change) as Promise<T>;
}

/**
 * Keeps a capture until {@link remove}. Each capture has its own entry, so that two windows do not overwrite each
 * other's. A capture that is identical to a waiting one is not added again.
 */
export function enqueue(capture: Capture): Promise<Waiting> {
  return withLock(() => add(capture));
}

/** Replaces a capture with a later version under a new key. If it was sent meanwhile, adds it as a new entry. */
export function replaceEntry({ id }: Waiting, capture: Capture): Promise<Waiting> {
  return withLock(async () => {
    const stored = await find(id);
    if (stored === undefined) return add(capture);
    return storeAnew(stored, capture);
  });
}

async function storeAnew(former: Stored, capture: Capture): Promise<Waiting> {
  const stored = await store({ ...former, key: crypto.randomUUID(), refusal: null, capture });
  await del(former.key);
  return stored;
}

/** Queues the captures that the server refused again: the reason may be gone. */
export function retryRefused(): Promise<void> {
  return withLock(async () => {
    for (const stored of await readAll()) {
      const capture = stored.refusal === null ? undefined : (stored.capture ?? (await get<Capture>(stored.key)));
      if (capture !== undefined) await storeAnew(stored, capture);
    }
  });
}

async function add(capture: Capture): Promise<Waiting> {
  const duplicate = (await readAll()).find((stored) => isSame(stored.capture, capture));
  if (duplicate !== undefined)
    return duplicate.refusal === null ? withoutCapture(duplicate) : storeAnew(duplicate, capture);
  const id = crypto.randomUUID();
  const at = capture.capturedAt ?? new Date().toISOString();
  return store({ id, key: id, title: capture.title ?? capture.url ?? 'Untitled', at, refusal: null, capture });
}

async function store({ capture, ...waiting }: Stored & { capture: Capture }): Promise<Waiting> {
  const name = PREFIX + waiting.id;
  try {
    if (JSON.stringify(capture).length > MAX_STORAGE_CHARACTERS) throw new OutboxFullError();
    await chrome.storage.local.set({ [name]: { ...waiting, capture } satisfies Stored });
  } catch {
    try {
      // Chromium's service workers, where a key saves the page, cannot ask for it.
      if ('persist' in navigator.storage) await navigator.storage.persist();
      await set(waiting.key, capture);
      await chrome.storage.local.set({ [name]: waiting });
    } catch (cause) {
      await del(waiting.key).catch(() => {});
      throw new OutboxFullError('The browser has no space left.', { cause });
    }
  }
  return waiting;
}

/** The waiting captures, oldest first. */
export async function listWaiting(): Promise<Waiting[]> {
  return (await readAll()).map(withoutCapture);
}

/** Reads an entry; undefined when it was sent or discarded. Its capture is null when the browser has lost it. */
export async function readEntry(id: string): Promise<{ waiting: Waiting; capture: Capture | null } | undefined> {
  const stored = await find(id);
  if (stored === undefined) return undefined;
  return { waiting: withoutCapture(stored), capture: stored.capture ?? (await get<Capture>(stored.key)) ?? null };
}

/** Removes a capture that was sent or discarded, unless it has been edited since. */
export function remove(version: Version): Promise<void> {
  return withLock(async () => {
    if (!(await isCurrent(version))) return;
    await chrome.storage.local.remove(PREFIX + version.id);
    await del(version.key);
  });
}

/** Records why the server refused a capture, unless it has been edited since. It stays until the user discards it. */
export function markRefused(version: Version, refusal: string): Promise<void> {
  return withLock(async () => {
    const stored = await find(version.id);
    if (stored === undefined || stored.key !== version.key) return;
    await chrome.storage.local.set({ [PREFIX + version.id]: { ...stored, refusal } satisfies Stored });
  });
}

/** All waiting captures, as the body of a capture request. */
export async function exportOutbox(): Promise<{ captures: Capture[] }> {
  const entries = await Promise.all((await readAll()).map(({ id }) => readEntry(id)));
  return { captures: entries.flatMap((entry) => entry?.capture ?? []) };
}

async function isCurrent({ id, key }: Version): Promise<boolean> {
  return (await find(id))?.key === key;
}

async function find(id: string): Promise<Stored | undefined> {
  const { [PREFIX + id]: stored } = await chrome.storage.local.get<Record<string, Stored | undefined>>(PREFIX + id);
  return stored === undefined ? undefined : withKey(stored);
}

async function readAll(): Promise<Stored[]> {
  const all = await chrome.storage.local.get<Record<string, Stored>>(null);
  return Object.entries(all)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([, stored]) => withKey(stored))
    .sort((a, b) => a.at.localeCompare(b.at));
}

/** Entries of version 0.1 have no separate key: they were sent under their id. */
function withKey(stored: Stored): Stored {
  return { ...stored, key: stored.key ?? stored.id };
}

function withoutCapture({ capture: _, ...waiting }: Stored): Waiting {
  return waiting;
}

function isSame(stored: Capture | undefined, capture: Capture): boolean {
  // Two pictures of one page may differ.
  const content = ({ capturedAt: _, picture: __, favicon: ___, ...rest }: Capture) => JSON.stringify(rest);
  return stored !== undefined && content(stored) === content(capture);
}
