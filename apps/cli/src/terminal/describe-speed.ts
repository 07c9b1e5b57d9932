import type { Status } from '@recollect/contract';

/** @example describeSpeed(41.6, 190) // '42 chunks a second, about 3 minutes left' */
export function describeSpeed(chunksPerSecond: number, secondsLeft: number): string {
  const speed = chunksPerSecond < 10 ? chunksPerSecond.toFixed(1) : String(Math.round(chunksPerSecond));
  return `${speed} chunks a second, about ${describeTime(secondsLeft)} left`;
}

/** @example describeTime(190) // '3 minutes' */
export function describeTime(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
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
