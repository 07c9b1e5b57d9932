import type { Highlight } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { changeColour, deleteHighlight, editHighlightNote } from './change-highlight.js';
import { ColourChoices } from './colour-choices.js';
import { Menu } from './menu.js';

/** The buttons that change a highlight. */
export function HighlightTools({ highlight }: { highlight: Highlight }) {
  const { colour } = highlight;
  return (
    <>
      <Button
        variant="quiet"
        icon="note"
        aria-label="Edit the note on this highlight"
        onClick={() => void editHighlightNote(highlight)}
      />
      <Menu label={`Change the colour, now ${colour}`} icon="appearance">
        <ColourChoices chosen={colour} onChoose={(next) => void changeColour(highlight, next)} />
      </Menu>
      <Button
        variant="quiet"
        icon="trash"
        aria-label="Delete this highlight"
        onClick={() => void deleteHighlight(highlight)}
      />
    </>
  );
}
