import type { MemoryDetail } from '@recollect/contract';
import { propertiesOf } from '@recollect/contract/properties';

/** What is known about the page of a memory: what the page itself says, or else what the client sent, or the front matter of its file. */
export function pageFact(
  { page, metadata }: Pick<MemoryDetail, 'page' | 'metadata'>,
  name: string,
): string | undefined {
  const [, property] = propertiesOf(metadata).find(([known]) => known.toLowerCase() === name.toLowerCase()) ?? [];
  return [page[name], metadata[name], property]
    .find((value) => typeof value === 'string' && value.trim() !== '')
    ?.toString()
    .trim();
}
