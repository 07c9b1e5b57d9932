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

/** All keys. */
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
    </Dialog>
  );
}
