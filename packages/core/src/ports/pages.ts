import type { Capture } from '@recollect/contract';

/** A memory of which only the address is saved. */
export interface Link {
  id: string;
  title: string;
  url: string;
  tags: readonly string[];
  capturedAt: string;
}

/**
 * `left`: not asked for, since its site wants fewer requests or did not answer before, or since the work was stopped.
 */
export type FetchedLink =
  | { kind: 'fetched'; link: Link; capture: Capture }
  | { kind: 'gone' | 'failed' | 'left'; link: Link; reason: string };

export interface FetchLinksOptions {
  signal: AbortSignal;
  /** Resolves when the next page may be requested: at once, or after a pause. */
  ready?: (() => Promise<void>) | undefined;
  /**
   * Called for each link, in the order in which their pages come, for one at a time. If it rejects, so does the whole.
   */
  onLink: (fetched: FetchedLink) => Promise<void>;
}

/** Gets pages from the network, within limits of time, size and requests to a host, and only from where it may. */
export type PageFetcher = (links: readonly Link[], options: FetchLinksOptions) => Promise<void>;

/** The tag of links whose pages are gone, which the plugin link-rot also gives. */
export const DEAD_LINK = 'dead-link';
