import { Clients } from './clients.js';
import { RecentSearches } from './recent-searches.js';
import { Sessions } from './sessions.js';

/** Who saved what, and which browsers may see it. */
export function Privacy() {
  return (
    <>
      <p class="soft">
        Your memories stay in the store of this Recollect.{' '}
        <a href="/docs/security">What it does to keep them private</a>
      </p>
      <Clients />
      <Sessions />
      <RecentSearches />
    </>
  );
}
