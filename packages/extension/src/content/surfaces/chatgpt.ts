import { dropEmptyTurns, type Surface, titleWithout, turnText, typedText } from './surface.js';

/** A turn is an article or section with one or more messages of one author. */
const TURN = '[data-testid^="conversation-turn"]';
const MESSAGE = '[data-message-author-role]';
const BODY = '.markdown, .whitespace-pre-wrap';
const STOP =
  '[data-testid="stop-button"], button[aria-label="Stop streaming"], button[aria-label="Stop generating"], .result-streaming';
/** Elements around the text: icons of the sources, and toolbars above code. */
const CLUTTER =
  'pre > div > div:not(:has(code)):not(.overflow-y-auto), [data-testid="webpage-citation-pill"], [class*="sticky"]';

const SIDES = new Set(['user', 'assistant']);

/** chatgpt.com. */
export const chatgpt: Surface = {
  name: 'chatgpt',
  isAt: (host) => host === 'chatgpt.com' || host === 'chat.openai.com',

  read(document) {
    const messages = [...document.querySelectorAll(MESSAGE)].filter(
      (message) => message.parentElement?.closest(MESSAGE) == null && SIDES.has(roleOf(message)),
    );
    if (messages.length === 0) return null;
    const isStreaming = document.querySelector(STOP) !== null;
    const turns = Map.groupBy(messages, (message) => message.closest(TURN) ?? message);
    // The turn that is being written is the last one.
    const last = [...turns.keys()].at(-1);
    const complete = [...turns].filter(
      ([turn, [first]]) => !(isStreaming && turn === last && roleOf(first) === 'assistant'),
    );
    return {
      title: titleWithout(document, /^ChatGPT\s*[-–|]\s*|(?<!\s)\s*[-–|]\s*ChatGPT$|^ChatGPT$/),
      turns: dropEmptyTurns(
        complete.map(([, parts]) => ({
          role: roleOf(parts[0]),
          text: parts
            .map(messageText)
            .filter((text) => text !== '')
            .join('\n\n'),
        })),
      ),
      isStreaming,
    };
  },
};

function roleOf(message: Element | undefined): string {
  return message?.getAttribute('data-message-author-role') ?? '';
}

function messageText(message: Element): string {
  const bodies = [...message.querySelectorAll(BODY)].filter((body) => body.parentElement?.closest(BODY) == null);
  return (bodies.length > 0 ? bodies : [message])
    .map((body) => (roleOf(message) === 'user' ? typedText(body) : turnText(body, CLUTTER)))
    .filter((text) => text !== '')
    .join('\n\n');
}
