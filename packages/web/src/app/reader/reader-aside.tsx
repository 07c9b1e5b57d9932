import type { Highlight, MemoryDetail } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { client, explain } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { ask } from '../dialogs/ask.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { HistoryList } from '../versions/history-list.js';
import { VersionList } from '../versions/version-list.js';
import { MemoryLinks } from './memory-links.js';

interface Props {
  memory: MemoryDetail;
  highlights: readonly Highlight[];
  /** Highlights whose words are no longer in the text. */
  lost: ReadonlySet<string>;
}

/** What belongs to a memory: highlights, related memories, versions, other captures, and what was done to it. */
export function ReaderAside({ memory, highlights, lost }: Props) {
  const parameters = { id: memory.id };
  const follows = { changes: memory.id };
  const { value: similar } = useResource(() => client('relatedMemories', { parameters, query: {} }), follows);
  const { value: pages } = useResource(() => client('memoryVersions', { parameters }), follows);
  const versions = pages?.versions ?? [];
  return (
    <aside class="reader-aside" aria-label="More about this memory">
      {highlights.length > 0 && (
        <section>
          <h2 id="highlights">Highlights</h2>
          <ul aria-labelledby="highlights">
            {highlights.map(({ id, quote, prefix, suffix, note }) => (
              <li key={id}>
                <button type="button" class="quote" dir="auto" onClick={() => showHighlight(id)}>
                  {displayed(quote)}
                </button>
                {note !== null && <p dir="auto">{displayed(note)}</p>}
                {lost.has(id) && <p class="soft">These words are no longer in the text.</p>}
                <div class="quote-tools">
                  <Button
                    variant="quiet"
                    icon="note"
                    aria-label="Edit the note on this highlight"
                    onClick={() => void editNote(memory.id, id, note)}
                  />
                  <Button
                    variant="quiet"
                    icon="trash"
                    aria-label="Delete this highlight"
                    onClick={() => void removeHighlight(memory.id, id, { quote, prefix, suffix, note })}
                  />
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <MemoryLinks id="related" title="Related" memories={similar?.related ?? []} />
      <VersionList memory={memory} versions={versions} />
      <MemoryLinks
        id="captures"
        title="Other captures of this address"
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

async function editNote(memoryId: string, id: string, note: string | null): Promise<void> {
  const save = async (text: string | null) => {
    await client('updateHighlight', { parameters: { id }, body: { note: text } });
    reportChanges([memoryId]);
  };
  await ask({
    title: 'Note on the highlight',
    label: 'Note',
    value: note ?? '',
    isOptional: true,
    action: 'Save',
    submit: async (typed) => {
      if (typed.trim() === (note ?? '')) return;
      await save(typed.trim() || null);
      announce('Note saved.', () => save(note));
    },
  });
}

async function removeHighlight(
  memoryId: string,
  id: string,
  body: { quote: string; prefix: string; suffix: string; note: string | null },
): Promise<void> {
  try {
    await client('deleteHighlight', { parameters: { id } });
    announce('Highlight deleted.', async () => {
      await client('createHighlight', { parameters: { id: memoryId }, body });
      reportChanges([memoryId]);
    });
    reportChanges([memoryId]);
  } catch (error) {
    announceFailure(explain(error));
  }
}
