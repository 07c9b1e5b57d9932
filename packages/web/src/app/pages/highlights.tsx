import { useSignal } from '@preact/signals';
import type { Highlight, HighlightList } from '@recollect/contract';
import { Age, Button, Marked } from '@recollect/ui';
import { useEffect } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { onReconnect } from '../api/connection.js';
import { quotesOf } from '../reader/reader-tools.js';
import { usePageTitle } from '../shell/page-title.js';
import { announce, announceFailure } from '../state/status.js';

/** Milliseconds without a key press before highlights are searched. */
const PAUSE = 120;

/** All passages that the user marked. */
export default function Highlights() {
  usePageTitle('Highlights');
  const words = useSignal('');
  const listed = useSignal<HighlightList | null>(null);
  const problem = useSignal('');
  const read = async (cursor?: string) => {
    const asked = words.peek();
    try {
      const page = await client('listHighlights', { query: { q: asked, cursor } });
      if (asked !== words.peek()) return;
      const before = cursor === undefined ? [] : (listed.peek()?.highlights ?? []);
      listed.value = { ...page, highlights: [...before, ...page.highlights] };
      problem.value = '';
    } catch (error) {
      problem.value = explain(error);
    }
  };
  useEffect(() => {
    const timer = setTimeout(() => void read(), listed.peek() === null ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [words.value]);
  useEffect(() => onReconnect(() => void read()), []);
  const highlights = listed.value?.highlights ?? [];
  const isEmpty = listed.value !== null && highlights.length === 0;
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
          <Button icon="copy" disabled={highlights.length === 0} onClick={() => void copyAll(highlights)}>
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
                {title}
              </a>
              <Age instant={createdAt} />
            </p>
          </li>
        ))}
      </ul>
      {listed.value?.nextCursor != null && (
        <Button onClick={() => void read(listed.value?.nextCursor ?? undefined)}>Show more</Button>
      )}
      {problem.value !== '' && <p role="alert">{problem.value}</p>}
    </main>
  );
}

async function copyAll(highlights: readonly Highlight[]): Promise<void> {
  const byMemory = Map.groupBy(highlights, ({ memoryId }) => memoryId);
  const parts = Array.from(byMemory.values(), (own) => quotesOf({ title: own[0]?.title ?? '', url: null }, own));
  try {
    await navigator.clipboard.writeText(parts.join('\n\n'));
    announce('Highlights copied.');
  } catch {
    announceFailure('The browser did not allow copying.');
  }
}
