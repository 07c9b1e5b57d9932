import { Dialog } from '../dialogs/dialog.js';
import { Keys } from '../dialogs/keys.js';
import { commands } from './commands.js';
import { isHelpOpen } from './overlays.js';

const KEYS: readonly [string, string][] = [
  ['$mod k', 'Command palette'],
  ...commands.flatMap(({ keys, name }): [string, string][] => (keys === undefined ? [] : [[keys, name]])),
  ['j or ↓', 'Next memory'],
  ['k or ↑', 'Previous memory'],
  ['o or Enter', 'Open the memory'],
  ['x', 'Select the memory'],
  ['e', 'Edit tags'],
  ['s', 'Star, or remove the star'],
  ['m', 'Mark as read, or as unread'],
  ['#', 'Delete'],
  ['h', 'Highlight the selected text'],
  ['k or x', 'Keep or dismiss in the review'],
  ['u', 'Back'],
  ['Escape', 'Close, or leave a field'],
];

const GESTURES: readonly [string, string][] = [
  ['Swipe right', 'Star, or remove the star'],
  ['Swipe left', 'Move to the archive, or back to the inbox'],
  ['Hold', 'Select the memory'],
];

/** All keys, and the gestures on a touch screen. */
export function HelpDialog() {
  return (
    <Dialog
      title="Keys"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      {matchMedia('(any-pointer: coarse)').matches && (
        <>
          <h3>Gestures</h3>
          <dl class="keys">
            {GESTURES.map(([gesture, what]) => (
              <div key={gesture}>
                <dt>{gesture}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Dialog>
  );
}
