import { announce, announceFailure } from './status.js';

/** Characters of a text that can be shown to be copied by hand. */
const MAX_SHOWN_CHARACTERS = 300;

/** Copies a text, and announces that with `done`. Browsers allow it only in secure contexts. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(done);
  } catch {
    announceFailure(
      `The browser did not allow copying.${text.length <= MAX_SHOWN_CHARACTERS ? ` Copy it by hand: ${text}` : ''}`,
    );
  }
}
