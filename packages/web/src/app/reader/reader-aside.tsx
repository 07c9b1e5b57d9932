import type { Highlight, MemoryDetail } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Age } from '@recollect/ui';
import type { ComponentChildren } from 'preact';
import { client } from '../api/client.js';
import { HighlightTools } from '../dialogs/highlight-tools.js';
import { memoryAddress } from '../state/query.js';
import { useResource } from '../state/use-resource.js';
import { HistoryList } from '../versions/history-list.js';
import { VersionList } from '../versions/version-list.js';

interface Props {
  memory: MemoryDetail;
  highlights: readonly Highlight[];
  /** Highlights whose words are no longer in the text. */
  lost: ReadonlySet<string>;
  /** Whether the memory is gone. Typed text stays. */
  isHidden: boolean;
  /** The field of the user's note. */
  children: ComponentChildren;
}

/** The notebook of a memory: highlights, the user's note, related memories, links, versions and its history. */
export function ReaderAside({ memory, highlights, lost, isHidden, children }: Props) {
  const parameters = { id: memory.id };
  const follows = { changes: memory.id };
  const { value: similar } = useResource(() => client('relatedMemories', { parameters, query: {} }), follows);
  const { value: pages } = useResource(() => client('memoryVersions', { parameters }), follows);
  const { value: linked } = useResource(() => client('linkedFrom', { parameters, query: {} }), follows);
  const versions = pages?.versions ?? [];
  return (
    <aside class="reader-aside" aria-label="Notebook" hidden={isHidden}>
      {highlights.length > 0 && (
        <section>
          <h2 id="highlights">Highlights</h2>
          <ul aria-labelledby="highlights">
            {highlights.map((highlight) => {
              const { id, quote, note, colour } = highlight;
              return (
                <li key={id}>
                  <button type="button" class={`quote ${colour}`} dir="auto" onClick={() => showHighlight(id)}>
                    {displayed(quote)}
                  </button>
                  {note !== null && <p dir="auto">{displayed(note)}</p>}
                  {lost.has(id) && <p class="soft">These words are no longer in the text.</p>}
                  <div class="quote-tools">
                    <HighlightTools highlight={highlight} />
                  </div>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <section>
        <h2>Note</h2>
        {children}
      </section>
      <MemoryLinks id="linked-from" title="Linked from" memories={linked?.memories ?? []} />
      <MemoryLinks id="related" title="Related" memories={similar?.related ?? []} />
      <VersionList memory={memory} versions={versions} />
      <MemoryLinks
        id="captures"
        title="Other versions of this page"
        memories={memory.otherCaptures.filter(({ id }) => !versions.some((version) => version.id === id))}
      />
      <HistoryList memory={memory} />
    </aside>
  );
}

function showHighlight(id: string): void {
  const mark = document.querySelector(`mark[data-highlight="${CSS.escape(id)}"]`);
  mark?.scrollIntoView({ block: 'center' });
}

interface MemoryLinksProps {
  id: string;
  title: string;
  memories: MemoryDetail['otherCaptures'];
}

/** A list of links to memories, under a heading; nothing if there are none. */
function MemoryLinks({ id: headingId, title, memories }: MemoryLinksProps) {
  if (memories.length === 0) return null;
  return (
    <section>
      <h2 id={headingId}>{title}</h2>
      <ul aria-labelledby={headingId}>
        {memories.map((memory) => (
          <li key={memory.id}>
            <a href={memoryAddress(memory.id, '')} dir="auto">
              {displayed(memory.title)}
            </a>{' '}
            <Age instant={memory.capturedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}
