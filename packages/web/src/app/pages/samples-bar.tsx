import { count, tagKey } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { listedCounts } from '../search/counts.js';
import { removeSamples, SAMPLE_TAG } from '../state/samples.js';

/** Says that there are samples among the memories, and removes them. */
export function SamplesBar() {
  const samples = listedCounts.value?.tags.find(({ value }) => tagKey(value) === tagKey(SAMPLE_TAG))?.count ?? 0;
  if (samples === 0) return null;
  return (
    <div class="samples-bar">
      <p class="soft">{count(samples, 'memory is a sample', 'memories are samples')}.</p>
      <Button variant="quiet" onClick={() => void removeSamples()}>
        Remove the samples
      </Button>
    </div>
  );
}
