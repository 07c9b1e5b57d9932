import type { MemoryDetail } from '@recollect/contract';

/** Says that only the address is saved, and how to get the text of the page. */
export function LinkHint({ memory }: { memory: Pick<MemoryDetail, 'isLink'> }) {
  return !memory.isLink ? null : (
    <p class="link-hint">
      Only the link is saved. To have its text here, open the page and save it, or run <code>recollect fetch</code>.
    </p>
  );
}
