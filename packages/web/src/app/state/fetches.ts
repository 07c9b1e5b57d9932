import { signal } from '@preact/signals';
import type { FetchBody, FetchPatch, FetchRun } from '@recollect/contract';
import { client } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { storedChoice } from './stored-choice.js';

/** Milliseconds between two questions about a fetch. */
const POLL_MS = 500;

/** Whether the page of a link is fetched as soon as the link is added. */
export const fetchesAdded = storedChoice('recollect-fetch-added', ['on', 'off']);

/** The latest fetch of many pages. Null before the first. */
export const latestFetch = signal<FetchRun | null>(null);

/** Reads the latest fetch, and follows it while it is open. */
export async function resumeFetch(): Promise<void> {
  const [latest] = (await client('listFetches', {})).fetches;
  if (latest !== undefined && latest.total > 1) await follow(latest, show);
}

/** Fetches the pages of many links. Throws as the client does. */
export async function fetchPages(body: FetchBody = {}): Promise<void> {
  await follow(await client('startFetch', { body }), show);
}

/** Fetches the page of one link. Resolves to why that failed; null if the page was saved. */
export async function fetchPage(id: string): Promise<string | null> {
  const run = await follow(await client('startFetch', { body: { ids: [id] } }), () => {});
  reportChanges([id]);
  const [outcome] = run.outcomes;
  return run.fetched > 0 ? null : (outcome?.reason ?? run.problem?.detail ?? 'The page was not fetched.');
}

/** Pauses, continues or stops the latest fetch. */
export async function changeFetch(state: FetchPatch['state']): Promise<void> {
  const id = latestFetch.peek()?.id;
  if (id !== undefined) show(await client('changeFetch', { parameters: { id }, body: { state } }));
}

function show(run: FetchRun): void {
  latestFetch.value = run;
}

async function follow(started: FetchRun, onProgress: (run: FetchRun) => void): Promise<FetchRun> {
  let run = started;
  onProgress(run);
  while (run.state === 'running' || run.state === 'paused') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    run = await client('fetchState', { parameters: { id: run.id } });
    onProgress(run);
  }
  return run;
}
