import type { MemoryDetail } from '@recollect/contract';

/** Whether a memory is of the user's own texts, which they edit where they read them. */
export function isOwnText({ sourceType }: Pick<MemoryDetail, 'sourceType'>): boolean {
  return sourceType === 'note' || sourceType === 'file';
}
