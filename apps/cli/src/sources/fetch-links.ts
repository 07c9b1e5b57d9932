import type { Capture } from '@recollect/contract';
import { DEAD_LINK, type FetchedLink, type FetchLinksOptions, type Link, RecollectError } from '@recollect/core';
import pLimit from 'p-limit';
import { type Fetch, type FetchedPage, fetchPage, PageStatusError, UnreachablePageError } from './fetch-page.js';

interface Options extends FetchLinksOptions {
  fetch: Fetch;
  /** What to do about an address in a private network, after the reason. */
  advice?: string | undefined;
}

/** Requests at a time, to one host and to all. */
const MAX_PARALLEL = { ofHost: 2, ofAll: 8 };

/** Links that a host did not answer, in a row, after which it is not asked for the others. */
const SILENT = 2;

const GONE = [404, 410];
/** Too many requests, or too many for now. */
const BUSY = [429, 503];

/**
 * Fetches the pages of links, with few requests to one host at a time. A missing page, an error status or a host that
 * does not answer affects only its own links.
 */
export async function fetchLinks(
  links: readonly Link[],
  { fetch, advice, signal: stopped, ready, onLink }: Options,
): Promise<void> {
  const failing = new AbortController();
  const signal = AbortSignal.any([stopped, failing.signal]);
  const all = pLimit(MAX_PARALLEL.ofAll);
  const report = pLimit(1);
  const hosts = [...Map.groupBy(links, ({ url }) => new URL(url).host).values()].map((ofHost) => {
    const host = new Host();
    const some = pLimit(MAX_PARALLEL.ofHost);
    return ofHost.map((link) =>
      some(() =>
        // No page is fetched while as many wait to be saved.
        all(async () => {
          await ready?.();
          const fetched = await host.fetchLink(link, { fetch, advice, signal });
          await report(() => onLink(fetched));
        }),
      ),
    );
  });
  const work = hosts.flat();
  try {
    await Promise.all(work);
  } catch (error) {
    // The pages of the others cannot be saved either.
    failing.abort();
    await Promise.allSettled(work);
    throw error;
  }
}

/** The answers of a host so far. */
class Host {
  #isBusy = false;
  #silences = 0;

  async fetchLink(link: Link, { signal, ...how }: Pick<Options, 'fetch' | 'advice' | 'signal'>): Promise<FetchedLink> {
    if (signal.aborted) return { kind: 'left', link, reason: 'Stopped.' };
    if (this.#isBusy) return { kind: 'left', link, reason: 'Its site asks for fewer requests.' };
    if (this.#silences >= SILENT) return { kind: 'left', link, reason: 'Its site did not answer before.' };
    try {
      const page = await fetchPage(link.url, { ...how, signal });
      this.#silences = 0;
      const obstacle = whereItLeads(link.url, page.url) ?? (isWall(page) ? WALL_SHOWN : null);
      if (obstacle !== null) return { kind: 'failed', link, reason: obstacle };
      return { kind: 'fetched', link, capture: toCapture(link, page) };
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error;
      if (signal.aborted) return { kind: 'left', link, reason: 'Stopped.' };
      const status = error instanceof PageStatusError ? error.status : null;
      if (status !== null && BUSY.includes(status)) this.#isBusy = true;
      this.#silences = error instanceof UnreachablePageError ? this.#silences + 1 : 0;
      const kind = status !== null && GONE.includes(status) ? 'gone' : 'failed';
      return { kind, link, reason: error.message };
    }
  }
}

/** A capture that takes the place of its link: it has the address, the tags and the time of the link. */
function toCapture({ url, tags, capturedAt }: Link, { content }: FetchedPage): Capture {
  return {
    url,
    captureMode: 'page',
    ...content,
    tags: tags.filter((tag) => tag !== DEAD_LINK),
    capturedAt,
    metadata: { fetchedAt: new Date().toISOString() },
  };
}

/** Why an address leads to another page than the requested one. Null if it may be the right page. */
function whereItLeads(from: string, to: string): string | null {
  if (isStartPage(to) && !isStartPage(from)) return 'It leads to the start page of its site now.';
  if (isGate(to) && !isGate(from))
    return 'It leads to a page that asks you to log in or to agree. Save it with the extension.';
  return null;
}

/** Titles of what sites show to programs instead of a page. */
const WALL =
  /<title[^<>]*>\s*(?:just a moment|one moment, please|attention required|access (?:to this page has been )?denied|robot check|are you (?:a |not a )?(?:robot|human)|before you continue|verify(?:ing)? (?:that )?you are|security check|human verification)/i;
const WALL_SHOWN = 'Its site shows programs a check instead of the page. Save it with the extension.';

function isWall({ content: { html } }: FetchedPage): boolean {
  return html != null && WALL.test(html.slice(0, 10_000));
}

function isStartPage(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '';
}

/** Whether an address says that it is where one logs in or agrees to cookies. */
function isGate(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  const first = hostname.split('.').slice(0, -2);
  return [...first, ...pathname.split('/')].some((part) => GATE.test(part));
}

const GATE =
  /^(?:log[-_]?in|sign[-_]?in|log[-_]?on|consent|auth|oauth2?|sso|accounts|user[-_]login|cookiewall)(?:\.\w+)?$/i;
