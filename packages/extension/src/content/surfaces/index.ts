import { chatgpt } from './chatgpt.js';
import { claude } from './claude.js';
import { openclaw } from './openclaw.js';
import type { Surface } from './surface.js';

const surfaces: readonly Surface[] = [chatgpt, claude, openclaw];

/** The chat surface at a host; null for any other host, even if its pages look the same. */
export function findSurface(host: string, openclawHosts: readonly string[]): Surface | null {
  return surfaces.find((surface) => surface.isAt(host, openclawHosts)) ?? null;
}
