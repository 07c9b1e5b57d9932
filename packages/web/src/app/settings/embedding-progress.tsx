import type { ReindexState } from '@recollect/contract';
import { describeTime } from '@recollect/contract/text';

/** How far the embeddings of a model are, while some are missing. */
export function EmbeddingProgress({ total, withEmbeddings, needsReindex, secondsLeft }: ReindexState) {
  if (!needsReindex) return null;
  return (
    <label class="progress">
      <span>Making embeddings{secondsLeft === null ? '' : `, about ${describeTime(secondsLeft)} left`}</span>
      <progress max={total} value={withEmbeddings} />
    </label>
  );
}
