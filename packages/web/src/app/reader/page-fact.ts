import type { MemoryDetail } from '@recollect/contract';

/** What is known about the page of a memory: what the page itself says, or else what the client sent. */
export function pageFact(
  { page, metadata }: Pick<MemoryDetail, 'page' | 'metadata'>,
  name: string,
): string | undefined {
  return [page[name], metadata[name]]
    .find((value) => typeof value === 'string' && value.trim() !== '')
    ?.toString()
    .trim();
}
