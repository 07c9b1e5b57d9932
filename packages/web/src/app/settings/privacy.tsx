import { count } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { forgetSearches, recentSearches } from '../search/recent-searches.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { Clients } from './clients.js';
import { Section } from './section.js';
import { Setting } from './setting.js';

/** Memories by client, and the browsers that may see them. */
export function Privacy() {
  return (
    <>
      <p class="soft">
        Your memories stay in the store of this Recollect.{' '}
        <a href={addressOf('/docs/security')}>What it does to keep them private</a>
      </p>
      <Clients />
      <RecentSearches />
      {/* Last, since only some deployments have them. */}
      <Sessions />
    </>
  );
}

/** The recent searches that this browser remembers. */
function RecentSearches() {
  const searchCount = recentSearches.value.length;
  const forget = () => {
    forgetSearches();
    announce('Recent searches forgotten.');
  };
  return (
    <Section heading={{ id: 'recent-searches', title: 'Recent searches' }}>
      <div class="settings-card">
        <Setting
          title="The search field offers what you searched for last"
          description="Only this browser knows it, and it forgets when you sign out."
        >
          <Button disabled={searchCount === 0} onClick={forget}>
            {searchCount === 0 ? 'Nothing to forget' : `Forget ${count(searchCount, 'search', 'searches')}`}
          </Button>
        </Setting>
      </div>
    </Section>
  );
}

/** The browsers that are signed in, where a key is needed. */
function Sessions() {
  const state = useResource(() => client('sessionState', {}));
  const { value, problem, reload } = useResource(() => client('listSessions', {}));
  if (state.value === null || (value === null && problem === '')) return null;
  if (!state.value.needsKey && (value === null || value.sessions.length === 0)) return null;
  const ownSession = state.value.sessionId;
  const end = async (id: string) => {
    try {
      if (id === ownSession) {
        await client('signOut', {});
        forgetSearches();
        // Nothing of the user's stays in the page.
        location.assign(addressOf('/'));
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
      {problem !== '' && ownSession !== null && (
        <p class="soft">Only a key that may do everything can see the other sessions.</p>
      )}
      <ul aria-label="Sessions" class="settings-list">
        {value?.sessions.map(({ id, label, createdAt, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>{label === '' ? 'A browser' : label}</strong> {id === ownSession && '(this one)'}
              <p class="soft">
                signed in <Age instant={createdAt} style="long" />
                {lastUsedAt !== null && (
                  <>
                    , last used <Age instant={lastUsedAt} style="long" />
                  </>
                )}
              </p>
            </div>
            <Button onClick={() => void end(id)}>{id === ownSession ? 'Sign out' : 'End session'}</Button>
          </li>
        ))}
      </ul>
      {ownSession !== null && value === null && <Button onClick={() => void end(ownSession)}>Sign out</Button>}
    </Section>
  );
}
