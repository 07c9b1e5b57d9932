import type { Lease } from './lease-store.js';

/** The state of plugins, separate for each plugin and user. Values are JSON. */
export interface PluginStateStore {
  get(userId: string, slug: string, key: string): Promise<unknown>;
  /** False when there are already `most` keys. Throws {@link LeaseLostError}. */
  set(lease: Lease, slug: string, key: string, value: unknown, most: number): Promise<boolean>;
  /** Throws {@link LeaseLostError}. */
  remove(lease: Lease, slug: string, key: string): Promise<void>;
  /** Sorted. */
  keys(userId: string, slug: string, prefix: string): Promise<string[]>;
}
