import { useEffect, useState } from 'preact/hooks';
import { canMark } from '../page/marks.js';
import { type Feature, isOn, switchOff, switchOn } from '../saving/page-access.js';

const ON_MESSAGES: Readonly<Record<Feature, string>> = {
  highlights: 'On. Reload pages that are already open.',
  panel: 'On. Open it from the menu of the toolbar button, or from the sidebar of the browser.',
};

/** What the extension may do on web pages. All of it is off until the user switches it on. */
export function PageOptions() {
  return (
    <section class="notice" aria-labelledby="on-pages">
      <h2 id="on-pages">On web pages</h2>
      <p class="facts">
        Both need access to all web pages, for which the browser asks. The extension asks your Recollect about the
        address of each page that is shown, and nobody else. Switch both off to give the access back.
      </p>
      <Switch feature="highlights" name="Highlight on web pages" isPossible={canMark()}>
        Select text on a page and press <kbd>h</kbd>. The passage is saved as a highlight of the page, and shown again
        when you come back.
      </Switch>
      {!canMark() && (
        <p class="refused">This browser cannot show highlights on pages. Firefox can from version 140 on.</p>
      )}
      <Switch feature="panel" name="Side panel">
        Shows what you saved of the page and of its site, beside the page.
      </Switch>
    </section>
  );
}

interface SwitchProps {
  feature: Feature;
  name: string;
  isPossible?: boolean;
  children: preact.ComponentChildren;
}

function Switch({ feature, name, isPossible = true, children }: SwitchProps) {
  // Undefined until it has been read.
  const [isChecked, setChecked] = useState<boolean | undefined>(undefined);
  const [result, setResult] = useState('');
  const textId = `${feature}-text`;

  useEffect(() => {
    const read = () => void isOn(feature).then(setChecked);
    read();
    // The settings of the browser can take the permission back.
    chrome.permissions.onRemoved.addListener(read);
    return () => chrome.permissions.onRemoved.removeListener(read);
  }, [feature]);

  const change = async (isWanted: boolean) => {
    setResult('');
    try {
      const isGranted = isWanted ? await switchOn(feature) : await switchOff(feature).then(() => true);
      if (!isGranted) setResult('The browser did not give the permission, so this stays off.');
      else if (isWanted) setResult(ON_MESSAGES[feature]);
    } catch (error) {
      setResult(`This was not changed: ${error instanceof Error ? error.message : String(error)}`);
    }
    setChecked(await isOn(feature));
  };

  return (
    <div>
      <label class="option">
        <input
          type="checkbox"
          role="switch"
          checked={isChecked === true}
          aria-checked={isChecked === true}
          disabled={isChecked === undefined || !isPossible}
          aria-describedby={textId}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            event.currentTarget.checked = !checked;
            void change(checked);
          }}
        />
        <span>{name}</span>
      </label>
      <p id={textId} class="facts">
        {children}
      </p>
      <p role="status">{result}</p>
    </div>
  );
}
