import type { MemoryDetail } from '@recollect/contract';

/** The fields of a memory that a user can change, at some time. */
export type Snapshot = Pick<MemoryDetail, 'title' | 'tags' | 'note' | 'text'>;

/** Two snapshots to compare, the older one first, with a label for each. */
export interface Compared {
  before: Snapshot;
  after: Snapshot;
  explanation: string;
}
