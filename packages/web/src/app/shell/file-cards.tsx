import { displayed } from '@recollect/contract/text';
import { Icon, type IconName } from '@recollect/ui';
import { type FileCard, fileCards } from '../state/file-cards.js';

const ICONS: Readonly<Record<FileCard['state'], IconName>> = {
  waiting: 'clock',
  working: 'upload',
  saved: 'check',
  known: 'check',
  failed: 'warning',
};
const NAMES = { waiting: 'Waiting', working: 'Saving…', saved: 'Saved', known: 'Saved before', failed: 'Not saved' };

/** A card for each file that is being saved, with its progress. */
export function FileCards() {
  if (fileCards.value.length === 0) return null;
  return (
    <ul class="file-cards" aria-label="Files">
      {fileCards.value.map(({ id, name, state, sent }) => (
        <li key={id} class={`file-card ${state}`}>
          <Icon name={ICONS[state]} />
          <bdi>{displayed(name)}</bdi>
          <span class="soft">
            {state === 'working' && sent !== null ? `${Math.floor(sent * 100)} %` : NAMES[state]}
          </span>
          {state === 'working' && (
            <progress aria-label={`Saving ${displayed(name)}`} max={1} value={sent ?? undefined} />
          )}
        </li>
      ))}
    </ul>
  );
}
