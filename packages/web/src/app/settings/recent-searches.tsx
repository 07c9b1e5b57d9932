import { count } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { forgetSearches, recentSearches } from '../search/recent-searches.js';
import { announce } from '../state/status.js';
import { Section } from './section.js';

/** The recent searches that this browser remembers. */
export function RecentSearches() {
  const kept = recentSearches.value.length;
  const forget = () => {
    forgetSearches();
    announce('Recent searches forgotten.');
  };
  return (
    <Section heading={{ id: 'recent-searches', title: 'Recent searches' }}>
      <p>
        The search field offers what you searched for last. Only this browser knows it, and it forgets when you sign
        out.
      </p>
      <p class="button-row">
        <Button disabled={kept === 0} onClick={forget}>
          {kept === 0 ? 'Nothing to forget' : `Forget ${count(kept, 'search', 'searches')}`}
        </Button>
      </p>
    </Section>
  );
}
