import type { Highlight } from '@recollect/contract';
import type { HighlightColour, ReviewDecision } from '@recollect/contract/vocabulary';
import { client } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { announce, succeeds } from '../state/status.js';
import { ask } from './ask.js';

/** Asks for the note on a highlight, and saves it. */
export async function editHighlightNote({ id, memoryId, note }: Pick<Highlight, 'id' | 'memoryId' | 'note'>) {
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

/** Changes the colour of a highlight. */
export async function changeColour(
  { id, memoryId, colour }: Pick<Highlight, 'id' | 'memoryId' | 'colour'>,
  next: HighlightColour,
): Promise<void> {
  const save = async (to: HighlightColour) => {
    await client('updateHighlight', { parameters: { id }, body: { colour: to } });
    reportChanges([memoryId]);
  };
  if (next !== colour && (await succeeds(save(next)))) announce(`Now ${next}.`, () => save(colour));
}

/** Keeps a highlight in the review, or dismisses it. Null offers it again. Throws as the client does. */
export async function decideOnHighlight(
  { id, memoryId }: Pick<Highlight, 'id' | 'memoryId'>,
  decision: ReviewDecision | null,
): Promise<void> {
  const save = async (next: ReviewDecision | null) => {
    await client('reviewHighlight', { parameters: { id }, body: { decision: next } });
    reportChanges([memoryId]);
  };
  await save(decision);
  if (decision === null) announce('The review offers it again.');
  else announce(decision === 'keep' ? 'Kept.' : 'Dismissed.', () => save(null));
}

/** Deletes a highlight. Undo marks the passage again. */
export async function deleteHighlight({ id, memoryId, quote, prefix, suffix, note, colour }: Highlight): Promise<void> {
  const isDeleted = await succeeds(client('deleteHighlight', { parameters: { id } }));
  if (!isDeleted) return;
  reportChanges([memoryId]);
  announce('Highlight deleted.', async () => {
    await client('createHighlight', { parameters: { id: memoryId }, body: { quote, prefix, suffix, note, colour } });
    reportChanges([memoryId]);
  });
}
