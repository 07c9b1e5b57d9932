import type { Capture, ProblemCode } from '@recollect/contract';
import { RecollectError } from '../error.js';
import { DEAD_LINK, type FetchedLink, type Link } from '../ports/index.js';

/** Saves what was fetched, in this process or through a server. */
export interface PageWriter<T extends { memoryId: string }> {
  save(capture: Capture, link: Link): Promise<T>;
  tag(id: string, change: 'addTags' | 'removeTags', tags: string[]): Promise<void>;
}

/** What became of a link. */
export type SettledLink<T> =
  | ({ kind: 'fetched'; link: Link } & T)
  | { kind: 'gone' | 'failed' | 'left'; link: Link; reason: string };

/** Faults of one page, after which the others are saved all the same. */
const OF_PAGE: readonly ProblemCode[] = [
  'CAPTURE_EMPTY',
  'EXTRACTION_FAILED',
  'VALIDATION_FAILED',
  'MEMORY_CHANGED',
  'MEMORY_DUPLICATE',
];

/** Saves a page that was fetched, and tags a link whose page is gone. Throws for faults that all pages would have. */
export async function settleLink<T extends { memoryId: string }>(
  writer: PageWriter<T>,
  fetched: FetchedLink,
): Promise<SettledLink<T>> {
  const { link } = fetched;
  if (fetched.kind === 'gone') await writer.tag(link.id, 'addTags', [DEAD_LINK]).catch(unlessGone);
  if (fetched.kind !== 'fetched') return fetched;
  try {
    const saved = await writer.save(fetched.capture, link);
    if (link.tags.includes(DEAD_LINK)) await writer.tag(link.id, 'removeTags', [DEAD_LINK]).catch(unlessGone);
    return { kind: 'fetched', link, ...saved };
  } catch (error) {
    if (!(error instanceof RecollectError) || !OF_PAGE.includes(error.code)) throw error;
    return { kind: 'failed', link, reason: error.code === 'CAPTURE_EMPTY' ? 'No text found.' : error.message };
  }
}

/** Ignores the error of a link that was deleted in the meantime, or that has no room for another tag. */
function unlessGone(error: unknown): void {
  const isOfLink = error instanceof RecollectError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code);
  if (!isOfLink) throw error;
}
