import { Age, Button } from '@recollect/ui';
import { client, explain } from '../api/client.js';
import { forgetSearches } from '../search/recent-searches.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { Section } from './section.js';

/** The browsers that are signed in, where a key is needed. */
export function Sessions() {
  const state = useResource(() => client('sessionState', {}));
  const { value, problem, reload } = useResource(() => client('listSessions', {}));
  const own = state.value?.sessionId ?? null;
  if (state.value?.needsKey !== true && (value === null || value.sessions.length === 0)) return null;
  const end = async (id: string) => {
    try {
      if (id === own) {
        await client('signOut', {});
        forgetSearches();
        // Nothing of the user's stays in the page.
        location.assign('/');
        return;
      }
      await client('revokeSession', { parameters: { id } });
      announce('The session has ended.');
      await reload();
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  return (
    <Section heading={{ id: 'sessions', title: 'Signed-in browsers' }}>
      {problem !== '' && own !== null && (
        <p class="soft">Only a key that may do everything can see the other sessions.</p>
      )}
      <ul aria-label="Sessions" class="settings-list">
        {value?.sessions.map(({ id, label, createdAt, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>{label === '' ? 'A browser' : label}</strong> {id === own && '(this one)'}
              <p class="soft">
                signed in <Age instant={createdAt} style="long" />
                {lastUsedAt !== null && (
                  <>
                    , last used <Age instant={lastUsedAt} style="long" />
                  </>
                )}
              </p>
            </div>
            <Button onClick={() => void end(id)}>{id === own ? 'Sign out' : 'End session'}</Button>
          </li>
        ))}
      </ul>
      {own !== null && value === null && <Button onClick={() => void end(own)}>Sign out</Button>}
    </Section>
  );
}
