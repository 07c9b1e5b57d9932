import type { Pictures } from './pictures.js';

/** Milliseconds for which saving waits for pictures. */
const TIMEOUT_MS = 1_000;

/** Pictures if they are made soon, or else none: no capture waits for long, or fails, for them. */
export function picturesSoon(pictures: Promise<Pictures>): Promise<Pictures> {
  const none = new Promise<Pictures>((resolve) => setTimeout(() => resolve({}), TIMEOUT_MS));
  return Promise.race([pictures.catch(() => ({})), none]);
}
