import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { saveCommand } from '../saving/commands.js';

/** Where Chromium's users choose shortcuts. Firefox has no address for it. */
const SHORTCUTS_PAGE = 'chrome://extensions/shortcuts';

/** The shortcut that saves without this window, and where to change it. */
export function ShortcutNote() {
  const [keys, setKeys] = useState<string | null>(null);
  useEffect(() => {
    void chrome.commands
      .getAll()
      .then((commands) => setKeys(commands.find(({ name }) => name === saveCommand)?.shortcut ?? ''));
  }, []);
  return (
    <footer class="shortcut">
      {keys !== null && (
        <>
          <p>
            {keys === '' ? (
              'No shortcut saves the page.'
            ) : (
              <>
                <kbd>{keys}</kbd> saves without this window.
              </>
            )}
          </p>
          <Button variant="quiet" aria-label="Change keyboard shortcuts" onClick={openShortcuts}>
            Change
          </Button>
        </>
      )}
    </footer>
  );
}

function openShortcuts(): void {
  const { commands } = chrome as { commands: typeof chrome.commands & { openShortcutSettings?: () => Promise<void> } };
  void (commands.openShortcutSettings?.() ?? chrome.tabs.create({ url: SHORTCUTS_PAGE }));
}
