import { displayed } from '@recollect/contract/text';
import { useState } from 'preact/hooks';
import { Menu } from './menu.js';
import { currentPlace, goTo, type Outline } from './outline.js';

/** The headings of a text, or the questions of a conversation, to jump to. */
export function OutlineMenu({ outline }: { outline: Outline }) {
  const [current, setCurrent] = useState(-1);
  return (
    <Menu label={outline.label} icon="contents" onOpen={() => setCurrent(currentPlace(outline))}>
      <nav aria-label={outline.label}>
        <ol class="outline">
          {outline.places.map((place, at) => (
            <li key={at} data-depth={Math.min(place.depth, 3)}>
              <button
                type="button"
                dir="auto"
                aria-current={at === current ? 'location' : undefined}
                onClick={() => goTo(place)}
              >
                {displayed(place.text)}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </Menu>
  );
}
