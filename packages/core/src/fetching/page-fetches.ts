import type { Actor, FetchBody, FetchPatch, FetchRun } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { formatOperator, splitQuery } from '@recollect/contract/query-syntax';
import type { CaptureUseCase } from '../capture/capture.js';
import { RecollectError } from '../error.js';
import type { Memories } from '../memories/memories.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { Link } from '../ports/index.js';
import { readListFilter } from '../retrieval/parse-query.js';
import { createId } from '../text/create-id.js';
import { linksWithoutPage } from './find-links.js';
import { settleLink } from './save-page.js';

/** Fetches of pages in the background. What they have saved is in the store; their reports last until a restart. */
export interface PageFetches {
  /** Throws FETCH_OFF, FETCH_RUNNING, NOT_FOUND and VALIDATION_FAILED. */
  start(userId: string, body: FetchBody, actor: Actor): Promise<FetchRun>;
  list(userId: string): Promise<FetchRun[]>;
  /** Throws NOT_FOUND. */
  find(userId: string, id: string): Promise<FetchRun>;
  /** Pauses, continues or stops an open fetch, and leaves an ended one unchanged. Throws NOT_FOUND. */
  change(userId: string, id: string, patch: FetchPatch): Promise<FetchRun>;
  /** Stops all fetches. */
  stop(): Promise<void>;
}

interface Work {
  userId: string;
  run: FetchRun;
  stopping: AbortController;
  /** Lets a paused fetch continue. */
  resume: () => void;
  /** Resolves when the next page may be requested. */
  ready: Promise<void>;
  ended: Promise<void>;
}

type Ports = Pick<CorePorts, 'pageFetcher' | 'clock'>;
type UseCases = { capture: CaptureUseCase; memories: Memories };

/** @param report receives errors that no request is left to be answered with, and that are not ours */
export function createPageFetches(
  { pageFetcher, clock }: Ports,
  { capture, memories }: UseCases,
  report: (error: unknown) => void,
): PageFetches {
  const works = new Map<string, Work>();

  const find = (userId: string, id: string): Work => {
    const work = works.get(id);
    if (work === undefined || work.userId !== userId)
      throw new RecollectError('NOT_FOUND', 'There is no fetch with this id. Fetches are known until a restart.');
    return work;
  };
  const isOpen = ({ run }: Work) => run.state === 'running' || run.state === 'paused';
  const listOf = (userId: string) => [...works.values()].filter((work) => work.userId === userId).reverse();

  const select = async (userId: string, { ids, filter = '', limit }: FetchBody): Promise<Link[]> => {
    if (ids !== undefined) return namedLinks(memories, userId, ids);
    const { operators, words } = splitQuery(filter);
    // Rejects words, and operators with an invalid value.
    readListFilter({ filter: [...operators.map(formatOperator), words].join(' ').trim() });
    const reader = {
      list: (text: string, cursor: string | null) =>
        memories.list(userId, {
          filter: readListFilter({ filter: text }),
          limit: limits.memories.page.maximum,
          ...(cursor === null ? {} : { cursor }),
        }),
      lookup: (urls: readonly string[]) => memories.lookup(userId, urls),
    };
    const signal = new AbortController().signal;
    return linksWithoutPage(reader, operators.map(formatOperator), { limit: limit ?? limits.fetches.links, signal });
  };

  const work = async (job: Work, links: readonly Link[], actor: Actor): Promise<void> => {
    const { userId, run, stopping } = job;
    const writer = {
      async save(page: Parameters<CaptureUseCase>[1][number]) {
        const { answer } = await capture(userId, [page], { actor });
        return { memoryId: answer.captures[0]?.id ?? '' };
      },
      tag: async (id: string, change: 'addTags' | 'removeTags', tags: string[]) => {
        await memories.update(userId, id, { [change]: tags }, actor);
      },
    };
    try {
      await pageFetcher?.(links, {
        signal: stopping.signal,
        ready: () => job.ready,
        async onLink(fetched) {
          const settled = await settleLink(writer, fetched);
          const { id, title, url } = settled.link;
          const memoryId = settled.kind === 'fetched' ? settled.memoryId : null;
          const reason = settled.kind === 'fetched' ? null : settled.reason;
          run[settled.kind] += 1;
          run.outcomes = [{ id, title, url, outcome: settled.kind, reason, memoryId }, ...run.outcomes];
          run.outcomes.length = Math.min(run.outcomes.length, limits.fetches.outcomes);
        },
      });
      run.state = stopping.signal.aborted ? 'stopped' : 'done';
    } catch (error) {
      run.state = 'failed';
      run.problem = toProblem(error);
      if (!(error instanceof RecollectError)) report(error);
    }
  };

  return {
    async start(userId, body, actor) {
      if (pageFetcher === null)
        throw new RecollectError('FETCH_OFF', 'This deployment gets no pages from the network.');
      if (listOf(userId).filter(isOpen).length >= limits.fetches.open)
        throw new RecollectError(
          'FETCH_RUNNING',
          'Pages are being fetched already. Wait until they are, or stop that.',
        );
      const links = await select(userId, body);
      const id = createId(clock.now());
      const startedAt = clock.now().toISOString();
      const counts = { total: links.length, fetched: 0, gone: 0, failed: 0, left: 0 };
      const run: FetchRun = { id, state: 'running', startedAt, ...counts, outcomes: [], problem: null };
      const stopping = new AbortController();
      const job: Work = { userId, run, stopping, resume: () => {}, ready: Promise.resolve(), ended: Promise.resolve() };
      works.set(id, job);
      for (const old of listOf(userId)
        .filter((one) => !isOpen(one))
        .slice(limits.fetches.known))
        works.delete(old.run.id);
      job.ended = work(job, links, actor);
      return structuredClone(run);
    },
    list: async (userId) => listOf(userId).map(({ run }) => structuredClone(run)),
    find: async (userId, id) => structuredClone(find(userId, id).run),
    async change(userId, id, { state }) {
      const job = find(userId, id);
      if (isOpen(job)) setState(job, state);
      if (state === 'stopped') await job.ended;
      return structuredClone(job.run);
    },
    async stop() {
      const open = [...works.values()].filter(isOpen);
      for (const job of open) setState(job, 'stopped');
      await Promise.all(open.map(({ ended }) => ended));
    },
  };
}

function setState(job: Work, state: FetchPatch['state']): void {
  job.resume();
  if (state === 'paused') {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(job, { ready: promise, resume: resolve });
  }
  if (state === 'stopped') job.stopping.abort();
  else job.run.state = state;
}

/** Finds named links. Throws NOT_FOUND, and VALIDATION_FAILED for a memory whose text has been saved. */
async function namedLinks(memories: Pick<Memories, 'get'>, userId: string, ids: readonly string[]): Promise<Link[]> {
  const links: Link[] = [];
  for (const id of new Set(ids)) {
    const { url, isLink, title, tags, capturedAt } = await memories.get(userId, id);
    if (url === null || !isLink)
      throw new RecollectError('VALIDATION_FAILED', 'Not a link: its text has already been saved.', {
        errors: [{ pointer: '/ids', message: 'must be ids of links' }],
      });
    links.push({ id, title, url, tags, capturedAt });
  }
  return links;
}

function toProblem(error: unknown): FetchRun['problem'] {
  return error instanceof RecollectError
    ? { code: error.code, detail: error.message }
    : { code: 'INTERNAL', detail: 'The fetch failed for an unexpected reason, which recollect status names.' };
}
