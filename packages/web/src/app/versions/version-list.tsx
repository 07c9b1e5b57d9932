import type { MemoryDetail, VersionsAnswer } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import type { ComponentProps } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { client, loadPage } from '../api/client.js';
import { memoryAddress } from '../state/query.js';

import type { ComparisonDialog } from './comparison-dialog.js';

type Version = VersionsAnswer['versions'][number];

interface Props {
  memory: MemoryDetail;
  /** Newest first, this memory included. */
  versions: readonly Version[];
}

/** The texts that a page had whenever it was saved; nothing if there is only one. */
export function VersionList({ memory, versions }: Props) {
  const { dialog, compare } = useComparison();
  if (versions.length < 2) return null;
  const compareWith = (other: Version) => {
    const isOlder = versions.findIndex(({ id }) => id === other.id) > versions.findIndex(({ id }) => id === memory.id);
    const [older, newer] = isOlder ? [other, memory] : [memory, other];
    const get = (id: string) => client('getMemory', { parameters: { id } });
    void compare({
      title: 'Compared versions',
      read: async () => ({
        before: await get(older.id),
        after: await get(newer.id),
        explanation: `Struck-through text is only in the version of ${longDate(older.capturedAt)}; underlined text only in the version of ${longDate(newer.capturedAt)}.`,
      }),
    });
  };
  return (
    <section>
      <h2 id="versions">Versions of this page</h2>
      <ul aria-labelledby="versions" class="history">
        {versions.map((version) => (
          <li key={version.id}>
            <span>
              {version.id === memory.id ? (
                <span aria-current="true">This one</span>
              ) : (
                <a href={memoryAddress(version.id, '')} dir="auto">
                  {displayed(version.title)}
                </a>
              )}{' '}
              <Age instant={version.capturedAt} />
              <span class="soft"> {formatNumber(version.characters)} characters</span>
            </span>
            {version.id !== memory.id && (
              <Button
                variant="quiet"
                aria-label={`Compare with ${displayed(version.title)}, ${longDate(version.capturedAt)}`}
                onClick={() => compareWith(version)}
              >
                Compare
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  );
}

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
