import type { MemoryDetail } from '@recollect/contract';

/** What a user can change of a memory, as it was at some time. */
export type Snapshot = Pick<MemoryDetail, 'title' | 'tags' | 'note' | 'text'>;

/** Two snapshots to compare, the older one first, and what each of them is. */
export interface Compared {
  before: Snapshot;
  after: Snapshot;
  explanation: string;
}
