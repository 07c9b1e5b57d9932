import { signal } from '@preact/signals';
import type { ImportPreview } from '@recollect/contract';
import { count } from '@recollect/contract/text';

/** The choice for an export. */
export type ImportChoice = 'import' | 'save' | null;

/** An export and its preview. */
export interface Offer {
  fileName: string;
  preview: ImportPreview;
  /** Whether the file can also be saved as a memory. */
  isText: boolean;
}

/** The export that the user is asked about. Null without one. */
export const offered = signal<{ offer: Offer; answer: (choice: ImportChoice) => void } | null>(null);

/** Shows what an export contains, and asks what to do with it. Resolves to null if the user cancels. */
export function offerImport(offer: Offer): Promise<ImportChoice> {
  offered.value?.answer(null);
  return new Promise((resolve) => {
    const answer = (choice: ImportChoice) => {
      if (offered.value?.offer === offer) offered.value = null;
      resolve(choice);
    };
    offered.value = { offer, answer };
  });
}

/** Names the content of a preview, such as "10 conversations" or "3 conversations and 2 links". */
export function foundInExport({ found: contents, conversations, links }: ImportPreview): string {
  const others = contents - conversations - links;
  const kinds = [
    conversations === 0 ? '' : count(conversations, 'conversation', 'conversations'),
    links === 0 ? '' : count(links, 'link', 'links'),
    others === 0 ? '' : count(others, 'memory', 'memories'),
  ].filter((kind) => kind !== '');
  return kinds.length === 3 ? `${kinds[0]}, ${kinds[1]} and ${kinds[2]}` : kinds.join(' and ');
}
