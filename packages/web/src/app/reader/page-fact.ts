import type { MemoryDetail } from '@recollect/contract';
import { propertiesOf } from '@recollect/contract/properties';

/** A fact about the page of a memory: from the page, or else from the client, or from the front matter of its file. */
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
