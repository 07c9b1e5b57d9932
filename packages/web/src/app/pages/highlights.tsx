import { useSignal } from '@preact/signals';
import type { Highlight } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count, displayed } from '@recollect/contract/text';
import { Age, Button, Marked, SourceIcon } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { useLayoutEffect } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { decideOnHighlight } from '../dialogs/change-highlight.js';
import { HighlightTools } from '../dialogs/highlight-tools.js';
import { Menu } from '../dialogs/menu.js';
import { usePageTitle } from '../shell/page-title.js';
import { copyText } from '../state/copy-text.js';
import { download, quotesOf } from '../state/export-memories.js';
import { memoryAddress } from '../state/query.js';
import { announce, announceFailure, succeeds } from '../state/status.js';
import { usePages } from '../state/use-pages.js';

/** Milliseconds without a key press before highlights are searched. */
const DEBOUNCE_MS = 120;
/** Characters of the text around a passage that are shown. */
const CONTEXT_CHARACTERS = 120;

/** All passages that the user marked, by the memories that they are in. */
export default function Highlights() {
  usePageTitle('Highlights');
  const words = useSignal('');
  const { pages, problem, hasMore, readMore } = usePages(
    async (cursor) => {
      const q = words.peek();
      return { q, ...(await client('listHighlights', { query: { q, cursor } })) };
    },
    { key: words.value, pause: DEBOUNCE_MS },
  );
  // A print has all of them, however many are loaded.
  const printed = useSignal<readonly Highlight[] | null>(null);
  useLayoutEffect(() => {
    if (printed.value === null) return;
    print();
    printed.value = null;
  }, [printed.value]);
  const groups = byMemory(printed.value ?? pages.flatMap((page) => page.highlights));
  const isEmpty = pages.length > 0 && groups.length === 0;
  // While the list reloads, it still belongs to the former words. The field, which has the focus, stays.
  const hasNone = isEmpty && pages[0]?.q === '' && words.value === '';
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Highlights</h1>
      {hasNone ? (
        <div class="empty-state">
          <h2>No highlights yet</h2>
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
          <a class="button plain" href={addressOf('/highlights/review')}>
            Review
          </a>
          <Menu label="Print or export" icon="download">
            <Button
              variant="quiet"
              icon="page"
              onClick={() =>
                withAll(words.peek(), (all) => {
                  printed.value = all;
                })
              }
            >
              Print
            </Button>
            <Button
              variant="quiet"
              icon="copy"
              onClick={() => withAll(words.peek(), (all) => copyText(toMarkdown(all), 'Highlights copied.'))}
            >
              Copy as Markdown
            </Button>
            <Button variant="quiet" icon="download" onClick={() => withAll(words.peek(), downloadMarkdown)}>
              Download as Markdown
            </Button>
          </Menu>
        </div>
      )}
      {isEmpty && words.value !== '' && <p>No highlight has these words.</p>}
      {groups.map((own) => (
        <MemoryHighlights key={own[0].memoryId} highlights={own} words={words.value} />
      ))}
      {hasMore && <Button onClick={() => void readMore()}>Show more</Button>}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}

/** The highlights of one memory. */
type Group = [Highlight, ...Highlight[]];

function MemoryHighlights({ highlights, words }: { highlights: Group; words: string }) {
  const [{ memoryId, title, url, sourceType }] = highlights;
  const site = url === null ? '' : siteOf(url);
  return (
    <section class="highlight-group" aria-labelledby={memoryId}>
      <header>
        <SourceIcon sourceType={sourceType} />
        <h2 id={memoryId}>
          <a href={memoryAddress(memoryId, '')} dir="auto">
            {displayed(title)}
          </a>
        </h2>
        {site !== '' && <bdi class="soft">{site}</bdi>}
      </header>
      <ul aria-label={`Highlights of ${displayed(title)}`} class="highlight-list">
        {highlights.map((highlight) => (
          <HighlightItem key={highlight.id} highlight={highlight} words={words} />
        ))}
      </ul>
    </section>
  );
}

function HighlightItem({ highlight, words }: { highlight: Highlight; words: string }) {
  const { quote, prefix, suffix, note, colour, dismissed, createdAt } = highlight;
  return (
    <li>
      <blockquote class={colour} dir="auto">
        <span class="context">{displayed(endOf(prefix))}</span>
        <span class="quoted">
          <Marked text={quote} query={words} />
        </span>
        <span class="context">{displayed(startOf(suffix))}</span>
      </blockquote>
      {note !== null && (
        <p dir="auto">
          <Marked text={note} query={words} />
        </p>
      )}
      <div class="row-facts dotted">
        <Age instant={createdAt} style="long" />
        {dismissed && <span>Not in the review</span>}
        <span class="row-tools">
          {dismissed && (
            <Button
              variant="quiet"
              icon="restore"
              aria-label="Review this highlight again"
              onClick={() => void succeeds(decideOnHighlight(highlight, null))}
            />
          )}
          <HighlightTools highlight={highlight} />
        </span>
      </div>
    </li>
  );
}

/** The line before a passage, from a whole word on. */
function endOf(prefix: string): string {
  const line = prefix.slice(prefix.lastIndexOf('\n') + 1);
  return line.length <= CONTEXT_CHARACTERS ? line : `…${line.slice(-CONTEXT_CHARACTERS).replace(/^\S+/, '')}`;
}

/** The line after a passage, up to a whole word. */
function startOf(suffix: string): string {
  const [line = ''] = suffix.split('\n');
  return line.length <= CONTEXT_CHARACTERS ? line : `${line.slice(0, CONTEXT_CHARACTERS).replace(/(?<!\S)\S+$/, '')}…`;
}

function byMemory(highlights: readonly Highlight[]): Group[] {
  return [...Map.groupBy(highlights, ({ memoryId }) => memoryId).values()] as Group[];
}

/** Reads every highlight with these words, and does something with them. */
function withAll(q: string, use: (highlights: readonly Highlight[]) => unknown): void {
  readAll(q).then(use, (error) => announceFailure(explain(error)));
}

async function readAll(q: string): Promise<readonly Highlight[]> {
  const highlights: Highlight[] = [];
  let cursor: string | undefined;
  do {
    const page = await client('listHighlights', { query: { q, cursor, limit: limits.memories.page.maximum } });
    highlights.push(...page.highlights);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return highlights;
}

function toMarkdown(highlights: readonly Highlight[]): string {
  return byMemory(highlights)
    .map((own) => quotesOf(own[0], own))
    .join('\n\n');
}

function downloadMarkdown(highlights: readonly Highlight[]): void {
  download(`highlights-${new Date().toISOString().slice(0, 10)}.md`, toMarkdown(highlights));
  announce(`${count(highlights.length, 'highlight', 'highlights')} downloaded.`);
}
