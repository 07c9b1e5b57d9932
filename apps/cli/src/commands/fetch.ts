import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import {
  DEAD_LINK,
  type FetchedLink,
  type Link,
  type LinkReader,
  linksWithoutPage,
  type PageWriter,
  RecollectError,
  type SettledLink,
  settleLink,
} from '@recollect/core';
import type { CallOperation } from '../executor/executor.js';
import { saveCapture } from '../executor/save-capture.js';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { findPages } from '../sources/find-pages.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { hideProgress, showProgress } from '../terminal/progress.js';
import { shownId } from '../terminal/short-id.js';
import { CATCHING_UP } from './advice.js';
import { type AddCommand, forEachId, InvalidOptionError, integerInRange, stopSignal, withExecutor } from './command.js';
import { addFilterOptions, type FilterOptions, toOperators } from './filter-options.js';

interface Options extends FilterOptions {
  limit?: number;
  private?: boolean;
  again?: boolean;
  json?: boolean;
}

export const addFetch: AddCommand = (program) => {
  const command = program
    .command('fetch')
    .description('get the pages of saved links, such as imported bookmarks')
    .argument('[ids...]', 'ids of links; without them, all whose pages are not saved yet; with --again, a query')
    .option('--limit <number>', 'maximum number of links', integerInRange('--limit', 1, 1_000_000))
    .option('--again', 'read saved pages anew, chosen by ids or by a query')
    .option('--private', 'also from your own machine and network')
    .option('--json', 'print JSON');
  addFilterOptions(command).action(fetchPages);
};

/** The outcome of a link. */
type Outcome = SettledLink<Saved> | { kind: 'unchanged'; link: Link; memoryId: string };

interface Saved {
  memoryId: string;
  /** `unchanged`: the page has the text that is stored. */
  state: 'embedded' | 'pending' | 'failed' | 'unchanged';
}

async function fetchPages(
  ids: string[],
  { limit, private: isPrivate, again: isAgain = false, json = false, ...filters }: Options,
): Promise<void> {
  const operators = toOperators(filters);
  if (!isAgain && ids.length > 0 && operators.length > 0)
    throw new InvalidOptionError('Pass ids or filters, not both. Filters select among all links.');
  const signal = stopSignal();
  await withExecutor(async ({ call, embed }) => {
    const found = isAgain
      ? await chosenPages(call, ids, operators, signal)
      : ids.length > 0
        ? await forEachId(ids, (id) => namedLink(call, id))
        : await linksWithoutPage(readerOf(call), operators, { limit: limit ?? limits.fetches.links, signal });
    const links = found.slice(0, limit);
    const outcomes: Outcome[] = [];
    const bar = showProgress(links.length, json);
    const onLink = async (fetched: FetchedLink) => {
      const outcome = await settle(call, fetched, isAgain);
      outcomes.push(outcome);
      if (!json) report(outcome);
      bar.update(outcomes.length, fetched.link.url);
    };
    // Loaded here: the library that fetches takes longer than most commands.
    const [{ fetchLinks }, { createPublicFetch }] = await Promise.all([
      import('../sources/fetch-links.js'),
      import('../sources/fetch-page.js'),
    ]);
    await fetchLinks(links, { fetch: isPrivate ? globalThis.fetch : createPublicFetch(), signal, onLink });
    bar.stop('');
    if (signal.aborted || outcomes.some(({ kind }) => kind === 'failed')) process.exitCode = 1;
    if (json) printJson(toJson(outcomes));
    else if (isAgain && links.length === 0) print(NO_PAGES);
    else if (links.length > 0 || ids.length === 0) print(summarise(outcomes, signal.aborted, isAgain));
    const states = outcomes.flatMap((outcome) => (outcome.kind === 'fetched' ? outcome.state : []));
    // A model that has just failed is not called again.
    if (states.includes('failed')) return json ? undefined : print(CATCHING_UP);
    if (states.includes('pending') && !signal.aborted) await embed({ isQuiet: json });
  });
}

/** The link that a user has named. Throws NOT_FOUND, and VALIDATION_FAILED for any other memory. */
async function namedLink(call: CallOperation, typed: string): Promise<Link> {
  const id = await resolveMemoryId(call, typed);
  const memory = await readMemory(call, id);
  if (memory.url !== null && memory.isLink) return { ...memory, url: memory.url };
  throw new RecollectError('VALIDATION_FAILED', 'Not a link: its text has already been saved.');
}

const NO_PAGES = 'No page that the command line saved matches. Name a page that the extension saved by its id.';

/** Matches an id, the beginning of one, or a place in the last list. */
const ID = /^(?:@\d{1,4}|[0-9a-f][0-9a-f-]{7,35})$/i;

/** The saved pages that are named by ids, or that a query selects. */
async function chosenPages(
  call: CallOperation,
  named: readonly string[],
  operators: readonly string[],
  signal: AbortSignal,
): Promise<Link[]> {
  if (named.length > 0 && named.every((name) => ID.test(name)))
    return forEachId([...named], (id) => namedPage(call, id));
  const query = [...operators, ...named].join(' ');
  if (query.trim() === '')
    throw new InvalidOptionError('Say which pages to read anew: ids, or a query such as site:example.com.');
  return findPages(call, query, signal);
}

/** The page that a user has named. Throws NOT_FOUND, and VALIDATION_FAILED for any other memory. */
async function namedPage(call: CallOperation, typed: string): Promise<Link> {
  const memory = await readMemory(call, await resolveMemoryId(call, typed));
  if (memory.url !== null && !memory.isLink && memory.captureMode === 'page') return { ...memory, url: memory.url };
  throw new RecollectError('VALIDATION_FAILED', 'Not a saved page with an address, so it cannot be read anew.');
}

/** Reads links through operations. */
const readerOf = (call: CallOperation): LinkReader => ({
  list: (filter, cursor) =>
    call('listMemories', {
      query: { limit: limits.memories.page.maximum, filter, ...(cursor === null ? {} : { cursor }) },
    }),
  lookup: (urls) => call('lookupMemories', { body: { urls: [...urls] } }),
});

/** Saves the pages of links through operations. */
const writerOf = (call: CallOperation): PageWriter<Saved> => ({
  async save(capture, link) {
    const { answer, failure } = await saveCapture(call, capture);
    const { embedded, chunks } = answer.imported;
    const state = failure !== null ? 'failed' : embedded < chunks ? 'pending' : 'embedded';
    return { memoryId: answer.captures[0]?.id ?? link.id, state };
  },
  async tag(id, change, tags) {
    await call('updateMemory', { parameters: { id }, body: { [change]: tags } });
  },
});

/**
 * Replaces the text of a page by what its address has now. Its notes, tags, highlights and title stay, and the history
 * keeps the replaced text.
 */
const replacerOf = (call: CallOperation): PageWriter<Saved> => ({
  async save({ html, pageText, pdf }, { id }) {
    const { textHash } = await readMemory(call, id);
    const text = html != null ? { html } : pdf != null ? { pdf } : { text: pageText ?? '' };
    const { changeId, embedding } = await call('updateMemory', {
      parameters: { id },
      body: { ...text, expected: { textHash } },
    });
    if (changeId === null) return { memoryId: id, state: 'unchanged' };
    return { memoryId: id, state: embedding.state === 'embedded' ? 'embedded' : 'pending' };
  },
  // A page that is gone now keeps the text that was saved, and its tags.
  async tag() {},
});

async function settle(call: CallOperation, fetched: FetchedLink, isAgain: boolean): Promise<Outcome> {
  const settled = await settleLink(isAgain ? replacerOf(call) : writerOf(call), fetched);
  if (settled.kind !== 'fetched' || settled.state !== 'unchanged') return settled;
  return { kind: 'unchanged', link: settled.link, memoryId: settled.memoryId };
}

function report(outcome: Outcome): void {
  const { title, url } = outcome.link;
  if (outcome.kind === 'left') return;
  hideProgress();
  if (outcome.kind === 'unchanged') print(`Unchanged ${inert(title)} ${style('dim', shownId(outcome.memoryId))}`);
  else if (outcome.kind === 'fetched')
    print(`${style('green', 'Fetched')} ${style('bold', inert(title))} ${style('dim', shownId(outcome.memoryId))}`);
  else process.stderr.write(`${inert(url)}: ${outcome.reason}\n`);
}

function summarise(outcomes: readonly Outcome[], isStopped: boolean, isAgain: boolean): string {
  if (outcomes.length === 0) return 'There are no links whose pages are not saved.';
  const number = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const [gone, failed, left, unchanged] = [number('gone'), number('failed'), number('left'), number('unchanged')];
  return [
    `${number('fetched')} of ${count(outcomes.length, 'page', 'pages')} fetched.`,
    ...(gone === 0
      ? []
      : [`${count(gone, 'page is', 'pages are')} gone${isAgain ? '' : `, as the tag ${DEAD_LINK} says`}.`]),
    ...(unchanged === 0 ? [] : [`${count(unchanged, 'page has', 'pages have')} the same text as before.`]),
    ...(failed === 0 ? [] : [`${count(failed, 'page', 'pages')} could not be fetched.`]),
    ...(left === 0 ? [] : [`${count(left, 'page was', 'pages were')} left for later.`]),
    ...(isStopped ? ['Stopped. To continue, run it again.'] : []),
  ].join(' ');
}

/** Pairs the id of each fetched link with the id of its page's memory. Lists the other links with the reason. */
function toJson(outcomes: readonly Outcome[]) {
  const of = (kind: Outcome['kind']) =>
    outcomes
      .filter((outcome) => outcome.kind === kind)
      .map(({ link: { id, title, url }, ...outcome }) => ({
        id,
        title,
        url,
        ...('memoryId' in outcome ? { memoryId: outcome.memoryId } : {}),
        ...('reason' in outcome ? { reason: outcome.reason } : {}),
      }));
  const unchanged = of('unchanged');
  return {
    links: outcomes.length,
    fetched: of('fetched'),
    ...(unchanged.length === 0 ? {} : { unchanged }),
    gone: of('gone'),
    failed: of('failed'),
    left: of('left'),
  };
}
