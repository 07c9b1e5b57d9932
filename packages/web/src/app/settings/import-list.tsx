import type { ResponseOf } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { ask } from '../dialogs/ask.js';
import { undoChange } from '../state/changes.js';
import { succeeds } from '../state/status.js';

type Import = ResponseOf<'listImports'>['imports'][number];

interface Props {
  imports: readonly Import[];
  reload: () => Promise<void>;
}

/** The latest imports, each of which can be undone as a whole. */
export function ImportList({ imports, reload }: Props) {
  if (imports.length === 0) return null;
  const undo = async ({ name, changeId }: Import) => {
    const answer = await ask({
      title: `Undo the import of ${name}?`,
      text: 'What it created goes to the trash, and what it changed gets its former values back. What you changed or highlighted since stays.',
      action: 'Undo the import',
    });
    if (answer === null) return;
    await succeeds(undoChange(changeId));
    await reload();
  };
  return (
    <>
      <h2 id="imports">Imports</h2>
      <ul aria-labelledby="imports" class="settings-list">
        {imports.map((entry) => (
          <li key={entry.changeId}>
            <div>
              <strong>
                <bdi>{entry.name}</bdi>
              </strong>{' '}
              <Age instant={entry.at} style="long" />
              <p class="soft">{describe(entry)}</p>
            </div>
            {!entry.isUndone && (
              <Button icon="undo" aria-label={`Undo the import of ${entry.name}`} onClick={() => void undo(entry)}>
                Undo…
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function describe({ programs, created, updated, isUndone }: Import): string {
  const facts =
    created === null || updated === null
      ? ['running, or interrupted']
      : [
          created === 0 ? '' : `${count(created, 'memory', 'memories')} imported`,
          updated === 0 ? '' : `${count(updated, 'memory', 'memories')} changed`,
        ];
  return [programs.join(', '), ...facts, isUndone ? 'undone' : ''].filter((fact) => fact !== '').join(', ');
}
