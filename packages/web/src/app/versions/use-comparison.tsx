import type { ComponentProps } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { loadPage } from '../api/load-page.js';
import type { ComparisonDialog } from './comparison-dialog.js';

type Dialog = typeof ComparisonDialog;
type Question = Omit<ComponentProps<Dialog>, 'onClose'>;

/** A dialog that compares, whose code is loaded when it is first opened, and the function that opens it. */
export function useComparison() {
  const [shown, setShown] = useState<{ Dialog: Dialog; question: Question } | null>(null);
  const compare = useCallback(async (question: Question) => {
    const { ComparisonDialog: Dialog } = await loadPage(() => import('./comparison-dialog.js'));
    setShown({ Dialog, question });
  }, []);
  const dialog = shown !== null && <shown.Dialog {...shown.question} onClose={() => setShown(null)} />;
  return { dialog, compare };
}
