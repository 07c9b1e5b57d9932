import type { Lease } from './lease-store.js';

/** What plugins keep for themselves, a space for each plugin and user. Values are JSON. */
export interface PluginStateStore {
  get(userId: string, slug: string, key: string): Promise<unknown>;
  /** Throws {@link LeaseLostError}; false when there are `most` keys already. */
  set(lease: Lease, slug: string, key: string, value: unknown, most: number): Promise<boolean>;
  /** Throws {@link LeaseLostError}. */
  remove(lease: Lease, slug: string, key: string): Promise<void>;
  /** In order. */
  keys(userId: string, slug: string, prefix: string): Promise<string[]>;
}
