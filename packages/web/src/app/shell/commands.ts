import { places } from '@recollect/contract/vocabulary';
import type { IconName } from '@recollect/ui';
import { addressOf } from '../api/base-path.js';
import { moveCurrent } from '../dialogs/move-current.js';
import { openNote } from '../dialogs/note-dialog.js';
import { looks } from '../state/looks.js';
import { placeLabels } from '../state/places.js';
import { searchAddress } from '../state/query.js';
import { clearSelection, selectAll } from '../state/selection.js';
import { chooseFiles } from './choose-files.js';
import { isHelpOpen } from './overlays.js';

/** Something that the palette, and perhaps a key, does. */
export interface Command {
  name: string;
  icon: IconName;
  /** Keys as the help shows them. */
  keys?: string;
  run: (route: (address: string) => void) => void;
}

function chooseTheme(theme: (typeof looks)['theme']['value']): void {
  looks.theme.value = theme;
}

/** Focuses the search field, and selects its text. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  field?.focus();
  field?.select();
}

export const commands: readonly Command[] = [
  { name: 'New note', icon: 'note', keys: 'n', run: () => openNote() },
  { name: 'Save files', icon: 'upload', run: chooseFiles },
  { name: 'Search', icon: 'search', keys: '/', run: focusSearch },
  { name: 'Go to Home', icon: 'home', keys: 'g h', run: (route) => route(addressOf('/')) },
  { name: 'Go to Inbox', icon: 'inbox', keys: 'g i', run: (route) => route(searchAddress(placeLabels.inbox.query)) },
  { name: 'Go to Later', icon: 'clock', run: (route) => route(searchAddress(placeLabels.later.query)) },
  { name: 'Go to Archive', icon: 'archive', run: (route) => route(searchAddress(placeLabels.archive.query)) },
  { name: 'Go to Everything', icon: 'everything', keys: 'g e', run: (route) => route(searchAddress('')) },
  { name: 'Go to Highlights', icon: 'highlight', keys: 'g l', run: (route) => route(addressOf('/highlights')) },
  {
    name: 'Review highlights',
    icon: 'highlight',
    keys: 'g r',
    run: (route) => route(addressOf('/highlights/review')),
  },
  { name: 'Go to Tags', icon: 'tag', keys: 'g t', run: (route) => route(addressOf('/tags')) },
  { name: 'Go to Trash', icon: 'trash', keys: 'g d', run: (route) => route(addressOf('/trash')) },
  { name: 'Go to Settings', icon: 'settings', keys: 'g s', run: (route) => route(addressOf('/settings')) },
  ...places.map(
    (place): Command => ({
      name: `Move to ${placeLabels[place].name}`,
      icon: placeLabels[place].icon,
      keys: placeLabels[place].key,
      run: () => void moveCurrent(place),
    }),
  ),
  { name: 'Select all memories', icon: 'select', keys: '* a', run: selectAll },
  { name: 'Clear the selection', icon: 'close', keys: '* n', run: clearSelection },
  { name: 'Use light colours', icon: 'appearance', run: () => chooseTheme('light') },
  { name: 'Use dark colours', icon: 'appearance', run: () => chooseTheme('dark') },
  { name: 'Use the system theme', icon: 'appearance', run: () => chooseTheme('system') },
  {
    name: 'Show all keys',
    icon: 'info',
    keys: '?',
    run: () => {
      isHelpOpen.value = true;
    },
  },
];
