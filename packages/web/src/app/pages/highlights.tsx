import { useSignal } from '@preact/signals';
import type { Highlight } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { displayed } from '@recollect/contract/text';
import { Age, Button, Marked } from '@recollect/ui';
import { client, explain } from '../api/client.js';
import { usePageTitle } from '../shell/page-title.js';
import { quotesOf } from '../state/export-memories.js';
import { announce, announceFailure } from '../state/status.js';
import { usePages } from '../state/use-pages.js';

/** Milliseconds without a key press before highlights are searched. */
const PAUSE = 120;

/** All passages that the user marked. */
export default function Highlights() {
  usePageTitle('Highlights');
  const words = useSignal('');
  const { pages, problem, hasMore, readMore } = usePages(
    (cursor) => client('listHighlights', { query: { q: words.peek(), cursor } }),
    { key: words.value, pause: PAUSE },
  );
  const highlights = pages.flatMap((page) => page.highlights);
  const isEmpty = pages.length > 0 && highlights.length === 0;
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Highlights</h1>
      {isEmpty && words.value === '' ? (
        <div class="empty-state">
          <h2>Nothing is highlighted yet.</h2>
          <p>Open a memory, select some of its text and press “Highlight”.</p>
        </div>
      ) : (
        <div class="page-tools">
          <input
            class="field"
            type="text"
            aria-label="Search highlights"
            placeholder="Search highlights and their notes"
            value={words.value}
            onInput={(event) => {
              words.value = event.currentTarget.value;
            }}
          />
          <Button icon="copy" disabled={highlights.length === 0} onClick={() => void copyAll(words.peek())}>
            Copy as Markdown
          </Button>
        </div>
      )}
      {isEmpty && words.value !== '' && <p>No highlight has these words.</p>}
      <ul aria-label="Highlights" class="highlight-list">
        {highlights.map(({ id, memoryId, title, quote, note, createdAt }) => (
          <li key={id}>
            <blockquote dir="auto">
              <Marked text={quote} query={words.value} />
            </blockquote>
            {note !== null && (
              <p dir="auto">
                <Marked text={note} query={words.value} />
              </p>
            )}
            <p class="row-facts">
              <a href={`/memory/${memoryId}`} dir="auto">
                {displayed(title)}
              </a>
              <Age instant={createdAt} />
            </p>
          </li>
        ))}
      </ul>
      {hasMore && <Button onClick={() => void readMore()}>Show more</Button>}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}

/** Copies every highlight with these words, also those that have not loaded yet. */
async function copyAll(q: string): Promise<void> {
  const highlights: Highlight[] = [];
  try {
    let cursor: string | undefined;
    do {
      const page = await client('listHighlights', { query: { q, cursor, limit: limits.memories.page.maximum } });
      highlights.push(...page.highlights);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  } catch (error) {
    announceFailure(explain(error));
    return;
  }
  const byMemory = Map.groupBy(highlights, ({ memoryId }) => memoryId);
  const parts = Array.from(byMemory.values(), (own) => quotesOf({ title: own[0]?.title ?? '', url: null }, own));
  try {
    await navigator.clipboard.writeText(parts.join('\n\n'));
    announce('Highlights copied.');
  } catch {
    announceFailure('The browser did not allow copying.');
  }
}
