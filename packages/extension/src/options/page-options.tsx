import { useEffect, useState } from 'preact/hooks';
import { canMark } from '../page/marks.js';
import { hideHighlights, showHighlights, showsHighlights } from '../saving/page-access.js';

/** What the extension may do on web pages. Off until the user switches it on. */
export function PageOptions() {
  // Undefined until it has been read.
  const [isOn, setOn] = useState<boolean | undefined>(undefined);
  const [result, setResult] = useState('');

  useEffect(() => {
    const read = () => void showsHighlights().then(setOn);
    read();
    // The settings of the browser can take the permission back.
    chrome.permissions.onRemoved.addListener(read);
    return () => chrome.permissions.onRemoved.removeListener(read);
  }, []);

  const change = async (isWanted: boolean) => {
    setResult('');
    try {
      const isGranted = isWanted ? await showHighlights() : await hideHighlights().then(() => true);
      if (!isGranted) setResult('The browser did not give the permission, so this stays off.');
      else if (isWanted) setResult('On. Reload pages that are already open.');
    } catch (error) {
      setResult(`This was not changed: ${error instanceof Error ? error.message : String(error)}`);
    }
    setOn(await showsHighlights());
  };

  const isPossible = canMark();
  return (
    <section class="notice" aria-labelledby="on-pages">
      <h2 id="on-pages">On web pages</h2>
      <label class="option">
        <input
          type="checkbox"
          role="switch"
          checked={isOn === true}
          aria-checked={isOn === true}
          disabled={isOn === undefined || !isPossible}
          aria-describedby="highlights-text"
          onChange={(event) => {
            const { checked } = event.currentTarget;
            event.currentTarget.checked = !checked;
            void change(checked);
          }}
        />
        <span>Highlight on web pages</span>
      </label>
      <p id="highlights-text" class="facts">
        Select text on a page and press <kbd>h</kbd>. The passage is saved as a highlight of the page, and shown again
        when you come back. For this, the extension needs access to all web pages. It asks your Recollect about the
        address of each page that you open, and nobody else. Switching it off removes it from all pages and gives the
        access back.
      </p>
      {!isPossible && (
        <p class="refused">This browser cannot show highlights on pages. Firefox can from version 140 on.</p>
      )}
      <p role="status">{result}</p>
    </section>
  );
}
