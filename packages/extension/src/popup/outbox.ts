import type { Capture } from '@recollect/contract';
import { del, get, set } from 'idb-keyval';

/** A capture that waits for the server. */
export interface Waiting {
  /** The Idempotency-Key that it is sent with, each time the same. */
  id: string;
  title: string;
  /** When it was made, ISO 8601. */
  at: string;
  /** Why the server does not take it; null while it has not refused. */
  refusal: string | null;
}

interface Stored extends Waiting {
  /** Missing when the capture is kept in IndexedDB. */
  capture?: Capture;
}

/** The browser has no room for the capture. */
export class OutboxFullError extends Error {
  override readonly name = 'OutboxFullError';
}

const PREFIX = 'outbox:';
/** Longer captures, in characters, go to IndexedDB: extension storage takes 10 MB in all. */
const LARGE = 1_000_000;

/**
 * Keeps a capture until {@link remove}. Each has an entry of its own, so that two windows do not overwrite one another's;
 * what waits already, down to the last word, is not kept twice.
 */
export async function keep(capture: Capture): Promise<Waiting> {
  const twin = (await readAll()).find((stored) => stored.refusal === null && isSame(stored.capture, capture));
  if (twin !== undefined) return twin;
  return store({
    id: crypto.randomUUID(),
    title: capture.title ?? capture.url ?? 'Untitled',
    at: capture.capturedAt ?? new Date().toISOString(),
    refusal: null,
    capture,
  });
}

/** Puts a later state of a capture in its place; as a new one, when it has been sent meanwhile. */
export async function keepInPlace({ id }: Waiting, capture: Capture): Promise<Waiting> {
  const stored = await find(id);
  return stored === undefined ? keep(capture) : store({ ...stored, capture });
}

async function store({ capture, ...waiting }: Stored & { capture: Capture }): Promise<Waiting> {
  const key = PREFIX + waiting.id;
  try {
    if (JSON.stringify(capture).length > LARGE) throw new OutboxFullError();
    await chrome.storage.local.set({ [key]: { ...waiting, capture } satisfies Stored });
  } catch {
    try {
      await navigator.storage.persist();
      await set(waiting.id, capture);
      await chrome.storage.local.set({ [key]: waiting });
    } catch (cause) {
      await del(waiting.id).catch(() => {});
      throw new OutboxFullError('The browser has no room left.', { cause });
    }
  }
  return waiting;
}

/** What waits, oldest first. */
export async function listWaiting(): Promise<Waiting[]> {
  const stored = await readAll();
  return stored.map(({ capture: _, ...waiting }) => waiting);
}

/** A capture that waits; undefined when it does no longer, and null when the browser has lost what it says. */
export async function readCapture(id: string): Promise<Capture | null | undefined> {
  const stored = await find(id);
  return stored === undefined ? undefined : (stored.capture ?? (await get<Capture>(id)) ?? null);
}

export async function remove(id: string): Promise<void> {
  await chrome.storage.local.remove(PREFIX + id);
  await del(id);
}

/** Notes why the server does not take a capture; it stays until the user exports or discards it. */
export async function refuse(id: string, refusal: string): Promise<void> {
  const stored = await find(id);
  if (stored !== undefined) await chrome.storage.local.set({ [PREFIX + id]: { ...stored, refusal } });
}

/** All that waits, as the body of a capture request. */
export async function exportOutbox(): Promise<{ captures: Capture[] }> {
  const captures = await Promise.all((await readAll()).map(({ id }) => readCapture(id)));
  return { captures: captures.filter((capture) => capture != null) };
}

async function find(id: string): Promise<Stored | undefined> {
  const { [PREFIX + id]: stored } = await chrome.storage.local.get<Record<string, Stored | undefined>>(PREFIX + id);
  return stored;
}

async function readAll(): Promise<Stored[]> {
  const all = await chrome.storage.local.get<Record<string, Stored>>(null);
  return Object.entries(all)
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([, stored]) => stored)
    .sort((a, b) => a.at.localeCompare(b.at));
}

function isSame(stored: Capture | undefined, capture: Capture): boolean {
  const timeless = ({ capturedAt: _, ...rest }: Capture) => JSON.stringify(rest);
  return stored !== undefined && timeless(stored) === timeless(capture);
}
