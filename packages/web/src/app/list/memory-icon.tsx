import { SourceIcon, sourceName } from '@recollect/ui';
import type { Item } from '../state/library.js';
import { ServedImage } from './served-image.js';

/** The icon of a memory's site, or of its source where there is none. */
export function MemoryIcon({ memory: { id, sourceType, faviconHash } }: { memory: Item }) {
  if (faviconHash === undefined) return <SourceIcon sourceType={sourceType} />;
  return (
    <ServedImage
      class="icon favicon"
      src={`/api/v1/memories/${id}/favicon?v=${faviconHash}`}
      alt={sourceName(sourceType)}
      width={16}
      height={16}
    />
  );
}
