import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { Dialog } from '../dialogs/dialog.js';
import '../styles/comparison.css';
import type { Compared } from './compare-texts.js';
import { ComparedFields } from './compared-fields.js';
import { Comparison } from './comparison.js';

interface Props {
  title: string;
  read: () => Promise<Compared>;
  /** Puts the older one back. Resolves to whether it succeeded. Without it, nothing can be restored. */
  restore?: (() => Promise<boolean>) | undefined;
  onClose: () => void;
}

/** Compares two states of a memory, or two versions of a page. */
export function ComparisonDialog({ title, read, restore, onClose }: Props) {
  const [compared, setCompared] = useState<Compared | null>(null);
  const [problem, setProblem] = useState('');
  const [showsText, setShowsText] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    read().then(setCompared, (error) => setProblem(explain(error)));
  }, []);
  const putBack = async () => {
    if (isBusy) return;
    setBusy(true);
    if (await restore?.()) onClose();
    else setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose} class="wide">
      <p role="alert" class="form-problem">
        {problem}
      </p>
      {compared !== null && (
        <>
          <p>{compared.explanation}</p>
          <ComparedFields before={compared.before} after={compared.after} />
          {showsText ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll.
            <section class="comparison" aria-label="The older text" tabIndex={0} dir="auto">
              {displayed(compared.before.text)}
            </section>
          ) : (
            <Comparison before={compared.before.text} after={compared.after.text} />
          )}
          <div class="form-actions">
            <Button aria-pressed={showsText} onClick={() => setShowsText(!showsText)}>
              Show the older text
            </Button>
            {restore !== undefined && (
              <Button icon="restore" variant="primary" aria-disabled={isBusy} onClick={() => void putBack()}>
                Restore
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
