import type { Status } from '@recollect/contract';
import { describeTime } from '@recollect/contract/text';

/** @example describeSpeed(41.6, 190) // '42 chunks a second, about 3 minutes left' */
export function describeSpeed(chunksPerSecond: number, secondsLeft: number): string {
  const speed = chunksPerSecond < 10 ? chunksPerSecond.toFixed(1) : String(Math.round(chunksPerSecond));
  return `${speed} chunks a second, about ${describeTime(secondsLeft)} left`;
}

/** What becomes of missing embeddings: the server is making them, or the user can. */
export function describeBacklog(
  {
    latestJob,
    chunksPerSecond,
    secondsLeft,
  }: Pick<Status['embeddings'], 'latestJob' | 'chunksPerSecond' | 'secondsLeft'>,
  hasServer: boolean,
): string {
  const isWorking = hasServer && latestJob?.status === 'pending' && chunksPerSecond !== null && secondsLeft !== null;
  if (!isWorking) return 'Make the missing embeddings with: recollect reindex';
  return `The server makes the missing embeddings: ${describeSpeed(chunksPerSecond, secondsLeft)}.`;
}
