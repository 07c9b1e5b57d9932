import type { HistoryAnswer, MemoryDetail } from '@recollect/contract';
import { describeActor, describeFields, displayed } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { client } from '../api/client.js';
import { undoChange, undoFor } from '../state/changes.js';
import { refresh } from '../state/refresh-list.js';
import { saveTimes } from '../state/save-times.js';
import { announce, succeeds } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { useComparison } from './version-list.js';

interface Props {
  memory: MemoryDetail;
}

const NO_HISTORY: HistoryAnswer = { history: [], oldest: 0 };

/** The changes of a memory, by whom and when, each with the resulting state. */
export function HistoryList({ memory }: Props) {
  const { value } = useResource(() => client('memoryHistory', { parameters: { id: memory.id } }), {
    changes: memory.id,
  });
  const { history, oldest } = value ?? NO_HISTORY;
  const { savedAt, isImport } = saveTimes(memory);
  const { dialog, compare } = useComparison();
  const view = (number: number, at: string) =>
    void compare({
      title: number === 0 ? 'As it was saved' : `As it was on ${longDate(at)}`,
      read: async () => ({
        before: await client('memoryState', { parameters: { id: memory.id, number: String(number) } }),
        after: await client('getMemory', { parameters: { id: memory.id } }),
        explanation: 'Struck-through text was removed since then; underlined text was added.',
      }),
      restore: () => succeeds(restore(memory.id, number)),
    });
  /** The state is kept, and something has changed since. */
  const isViewable = (number: number) =>
    number >= oldest && history.some((later) => later.number > number && later.fields.some(isContent));
  return (
    <section>
      <h2 id="history">History</h2>
      <ul aria-labelledby="history" class="history">
        {history
          .filter((entry) => !isReadingOn(entry, history, memory))
          .map((entry) => (
            <li key={entry.number}>
              <span>
                {describeEntry(entry, history, memory)} <Age instant={entry.at} style="long" />
                <Replaced before={entry.before} />
              </span>
              <span class="history-tools">
                {isViewable(entry.number) && (
                  <Button
                    variant="quiet"
                    aria-label={`View as change ${entry.number} left it`}
                    onClick={() => view(entry.number, entry.at)}
                  >
                    View
                  </Button>
                )}
                {entry.number > oldest && entry.fields.length > 0 && (
                  <Button
                    variant="quiet"
                    aria-label={`Undo change ${entry.number}`}
                    onClick={() => void succeeds(undoFor(memory.id, entry.changeId))}
                  >
                    Undo
                  </Button>
                )}
              </span>
            </li>
          ))}
        <li>
          <span>
            {isImport ? 'Imported' : 'Saved'}
            {memory.savedBy === null ? '' : ` by ${describeActor(memory.savedBy)}`} <Age instant={savedAt} />
          </span>
          {isViewable(0) && (
            <Button variant="quiet" aria-label="View as it was saved" onClick={() => view(0, memory.capturedAt)}>
              View
            </Button>
          )}
        </li>
      </ul>
      {dialog}
    </section>
  );
}

/** The title, tags and note that a change replaced. The former text is behind View. */
function Replaced({ before: { title, tags, note } }: Pick<HistoryAnswer['history'][number], 'before'>) {
  const fields = [
    { name: 'Title', value: title },
    { name: 'Tags', value: tags?.join(', ') },
    { name: 'Note', value: note === null ? '' : note },
  ].filter(({ value }) => value !== undefined);
  return fields.map(({ name, value = '' }) => (
    <span key={name} class="replaced soft">
      {name} was {value === '' ? 'empty' : <q dir="auto">{displayed(value)}</q>}
    </span>
  ));
}

async function restore(id: string, number: number): Promise<void> {
  const { changeId } = await client('restoreState', { parameters: { id, number: String(number) } });
  announce(
    changeId === null ? 'It has these values already.' : 'Restored.',
    changeId === null ? undefined : () => undoChange(changeId, [id]),
  );
  await refresh([id]);
}

/** The fields that a state of the memory shows; the other fields were not saved with it. */
const isContent = (field: string) => ['title', 'tags', 'note', 'text'].includes(field);

const KINDS = { captured: 'Saved again', edited: 'Changed', deleted: 'Deleted', restored: 'Restored' } as const;

function describeEntry(entry: Entry, history: readonly Entry[], memory: MemoryDetail): string {
  const { kind, by } = entry;
  const what = kind === 'edited' ? describeEdit(entry, history, memory) : KINDS[kind];
  return by === null ? what : `${what} by ${describeActor(by)}`;
}

type Entry = HistoryAnswer['history'][number];

/** Describes an edit. The new read state is in the next change of it, or else in the memory. */
function describeEdit({ fields, before, number }: Entry, history: readonly Entry[], memory: MemoryDetail): string {
  const contents = fields.filter(isContent);
  const next = history.findLast((later) => later.number > number && later.before.readState !== undefined);
  const moved = history.findLast((later) => later.number > number && later.before.place !== undefined);
  const parts = [
    contents.length === 0 ? '' : `Changed ${describeFields(contents)}`,
    before.starred === undefined ? '' : before.starred ? 'Removed the star' : 'Starred',
    before.readState === undefined ? '' : `Marked as ${READ_STATES[next?.before.readState ?? memory.readState]}`,
    before.place === undefined ? '' : `Moved to ${PLACES[moved?.before.place ?? memory.place]}`,
  ].filter((part) => part !== '');
  // Without the former values, which are no longer kept.
  return parts.length === 0 ? `Changed ${describeFields(fields)}` : parts.join(', ');
}

/** Whether an entry only records that reading began, which comes from scrolling and would bury other changes. */
function isReadingOn(entry: Entry, history: readonly Entry[], memory: MemoryDetail): boolean {
  return entry.kind === 'edited' && describeEdit(entry, history, memory) === `Marked as ${READ_STATES.reading}`;
}

const PLACES = { inbox: 'the inbox', later: 'later', archive: 'the archive' } as const;

const READ_STATES = { unread: 'unread', reading: 'partly read', read: 'read' } as const;
