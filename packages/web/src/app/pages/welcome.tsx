import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { Keys } from '../dialogs/keys.js';
import { openNote } from '../dialogs/note-dialog.js';
import { Card } from '../shell/card.js';
import { chooseFiles } from '../shell/choose-files.js';
import { saveSamples } from '../state/samples.js';

/** The purpose of Recollect, and the first steps. */
export function Welcome() {
  const [isWorking, setWorking] = useState(false);
  const trySamples = async () => {
    setWorking(true);
    await saveSamples();
    setWorking(false);
  };
  return (
    <div class="welcome">
      <h2>Welcome to Recollect</h2>
      <p class="welcome-lead">Save what you read. Find it again, even when you forget the words.</p>
      <div class="cards">
        <Card icon="globe" title="Save as you browse">
          <p class="soft">One click keeps the page, the selection or the conversation that you are reading.</p>
          <a class="button primary" href={addressOf('/docs/getting-started/extension')}>
            Get the extension
          </a>
        </Card>
        <Card icon="upload" title="Bring what you have">
          <p class="soft">Files, your bookmarks, or what ChatGPT, Claude, Pocket and other programs have exported.</p>
          <div class="button-row">
            <Button onClick={chooseFiles}>Save files</Button>
            <a href={addressOf('/settings/import-export')}>Import a file</a>
          </div>
        </Card>
        <Card icon="note" title="Write it down">
          <p class="soft">A thought, a list, a recipe: a note is found like everything else.</p>
          <Button onClick={() => openNote()}>Write a note</Button>
        </Card>
      </div>
      <Button onClick={() => void (isWorking || trySamples())}>
        {isWorking ? 'Saving the samples …' : 'Try it with ten sample memories'}
      </Button>
      <p class="welcome-keys for-keys">
        <span>
          <Keys keys="$mod k" /> finds everything
        </span>
        <span>
          <Keys keys="n" /> writes a note
        </span>
        <span>
          <Keys keys="?" /> shows all keys
        </span>
      </p>
    </div>
  );
}
