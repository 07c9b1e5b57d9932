import type { TextIndex } from '@recollect/ui/text-index';
import type { PageHighlight } from './messages.js';
import { indexPage, indexVisiblePage } from './page-text.js';

/** Milliseconds of work after which the page goes first, and that passages with changed words may take in all. */
const LIMITS_MS = { slice: 20, similar: 1_000 };

interface Options {
  /** Whether to search for passages whose words have changed, which takes time in a long page. */
  isSimilarEnough: boolean;
  signal: AbortSignal;
}

/** Finds highlights in the page, by their ids. Lets the page work in between. */
export async function findRanges(
  highlights: readonly PageHighlight[],
  { isSimilarEnough, signal }: Options,
): Promise<Map<string, Range>> {
  const found = new Map<string, Range>();
  const pause = createPause();
  const search = async (text: TextIndex, isExact: boolean) => {
    for (const highlight of highlights) {
      if (found.has(highlight.id)) continue;
      await pause();
      if (signal.aborted) return;
      const range = rangeIn(text, highlight, isExact);
      if (range !== null) found.set(highlight.id, range);
    }
  };
  const visible = indexVisiblePage();
  await search(visible, true);
  if (found.size < highlights.length && !signal.aborted) await search(indexPage(), true);
  if (isSimilarEnough && found.size < highlights.length && !signal.aborted) {
    const end = performance.now() + LIMITS_MS.similar;
    for (const highlight of highlights) {
      if (found.has(highlight.id)) continue;
      await pause();
      if (signal.aborted || performance.now() > end) break;
      const range = rangeIn(visible, highlight, false);
      if (range !== null) found.set(highlight.id, range);
    }
  }
  return found;
}

function rangeIn(text: TextIndex, highlight: PageHighlight, isExact: boolean): Range | null {
  try {
    return text.find(highlight, isExact);
  } catch {
    // The page has changed since its text was indexed. The change leads to another search.
    return null;
  }
}

/** Returns a function that waits for a moment whenever it has been a slice of time since the last wait. */
function createPause(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < LIMITS_MS.slice) return;
    await new Promise((resolve) => setTimeout(resolve));
    start = performance.now();
  };
}
