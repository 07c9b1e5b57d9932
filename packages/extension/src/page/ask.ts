import type { PageAnswer, PageMessage } from './messages.js';

const GONE: PageAnswer = { highlights: [], problem: 'The extension was updated. Reload this page to highlight on it.' };

/** Asks the service worker, which asks the server. */
export async function ask(message: PageMessage): Promise<PageAnswer> {
  try {
    return await chrome.runtime.sendMessage<PageMessage, PageAnswer>(message);
  } catch {
    return GONE;
  }
}
