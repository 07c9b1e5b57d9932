import '../styles/colour-choices.css';
import { type HighlightColour, highlightColours } from '@recollect/contract/vocabulary';

interface Props {
  chosen: HighlightColour;
  onChoose: (colour: HighlightColour) => void;
}

/** The colours of highlights as a row of buttons. */
export function ColourChoices({ chosen, onChoose }: Props) {
  return (
    <fieldset class="highlight-colours" aria-label="Colour">
      {highlightColours.map((colour) => {
        const name = `${colour[0]?.toUpperCase()}${colour.slice(1)}`;
        return (
          <button
            type="button"
            key={colour}
            class={`colour-choice ${colour}`}
            aria-label={name}
            title={name}
            aria-pressed={colour === chosen}
            onClick={() => onChoose(colour)}
          />
        );
      })}
    </fieldset>
  );
}
