import '../styles/colour-choices.css';
import '../styles/review.css';
import type { ReviewedHighlight } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import type { ReviewDecision } from '@recollect/contract/vocabulary';
import { Age, Button, SourceIcon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client } from '../api/client.js';
import { decideOnHighlight } from '../dialogs/change-highlight.js';
import { Keys } from '../dialogs/keys.js';
import { usePageTitle } from '../shell/page-title.js';
import { memoryAddress } from '../state/query.js';
import { succeeds } from '../state/status.js';
import { useResource } from '../state/use-resource.js';

const DECISIONS = [
  { decision: 'keep', name: 'Keep', key: 'k', variant: 'primary', icon: 'check' },
  { decision: 'dismiss', name: 'Dismiss', key: 'x', variant: 'plain', icon: 'close' },
] as const;

/** The highlights of today, one after the other. */
export default function Review() {
  usePageTitle('Review');
  const { value, problem, reload } = useResource(() => client('highlightsToReview', { query: {} }), { changes: 'any' });
  const highlights = value?.highlights ?? [];
  const at = highlights.findIndex(({ decision }) => decision === null);
  const current = highlights[at];
  // A second key press before the next passage is shown would be a decision on the former one.
  const isBusy = useRef(false);
  const decide = async (decision: ReviewDecision) => {
    if (current === undefined || isBusy.current) return;
    isBusy.current = true;
    if (await succeeds(decideOnHighlight(current, decision))) await reload();
    isBusy.current = false;
  };
  return (
    <main id="main" tabIndex={-1} class="page review" aria-busy={value === null}>
      <h1>Review</h1>
      {value !== null && highlights.length === 0 && (
        <div class="empty-state">
          <h2>Nothing to review yet</h2>
          <p>Passages that you mark come here from the next day on, up to five a day.</p>
        </div>
      )}
      {current !== undefined && (
        <>
          <p class="review-place soft">
            {formatNumber(at + 1)} of {formatNumber(highlights.length)}
          </p>
          <div aria-live="polite">
            <Card key={current.id} highlight={current} />
          </div>
          <div class="review-actions">
            {DECISIONS.map(({ decision, name, key, ...looks }) => (
              <Button
                key={decision}
                id={`${decision}-highlight`}
                {...looks}
                aria-label={`${name} the passage`}
                aria-keyshortcuts={key}
                onClick={() => void decide(decision)}
              >
                {name} <Keys keys={key} />
              </Button>
            ))}
          </div>
          <p class="soft">A kept passage comes again on a later day. A dismissed one stays in its memory.</p>
        </>
      )}
      {highlights.length > 0 && current === undefined && <Done highlights={highlights} />}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}

function Card({ highlight }: { highlight: ReviewedHighlight }) {
  const { memoryId, title, sourceType, quote, note, colour, createdAt } = highlight;
  return (
    <article class="review-card">
      <blockquote class={colour} dir="auto">
        {displayed(quote)}
      </blockquote>
      {note !== null && <p dir="auto">{displayed(note)}</p>}
      <footer>
        <SourceIcon sourceType={sourceType} />
        <a href={memoryAddress(memoryId, '')} dir="auto">
          {displayed(title)}
        </a>
        <Age instant={createdAt} style="long" />
      </footer>
    </article>
  );
}

function Done({ highlights }: { highlights: readonly ReviewedHighlight[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is gone.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const kept = highlights.filter(({ decision }) => decision === 'keep').length;
  return (
    <div class="empty-state">
      <h2 ref={heading} tabIndex={-1}>
        Done for today
      </h2>
      <p>
        {formatNumber(kept)} kept, {formatNumber(highlights.length - kept)} dismissed. More come tomorrow.
      </p>
      <p>
        <a href={addressOf('/highlights')}>All highlights</a>
      </p>
    </div>
  );
}
