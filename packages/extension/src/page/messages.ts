import type { Highlight } from '@recollect/contract';

/** A highlight as a page needs it: to find its passage and to colour it. */
export type PageHighlight = Pick<Highlight, 'id' | 'quote' | 'prefix' | 'suffix' | 'colour'>;

/** A request of the script on a page to the service worker. Only the worker can reach the server. */
export type PageMessage =
  | { type: 'find'; url: string }
  | { type: 'highlight'; url: string; quote: Pick<PageHighlight, 'quote' | 'prefix' | 'suffix'> }
  | { type: 'remove'; id: string };

/** The answer to a {@link PageMessage}. Null if the script has nothing to do on this page. */
export type PageAnswer = { highlights: PageHighlight[]; problem: string | null } | null;

/** A request of the extension to the script on a page: remove all that it shows, and end. */
export interface StopMessage {
  type: 'stop';
}

/** The element that has the button and the messages. It is not part of the page. */
export const BAR_ELEMENT = 'recollect-highlighter';
