import { dropEmptyTurns, type Surface, titleWithout, turnText, typedText } from './surface.js';

const USER = '[data-testid="user-message"]';
const ASSISTANT = '.font-claude-response, .font-claude-message, [data-testid="assistant-message"]';
const STREAMING = '[data-is-streaming="true"]';
/** Thinking, tools and the toolbars above code. */
const CLUTTER =
  '[data-testid="thinking"], [class*="thinking"], [class*="sticky"], [class*="text-text-500"]:not(:has(p, pre, ul, ol))';

/** claude.ai. */
export const claude: Surface = {
  name: 'claude',
  isAt: (host) => host === 'claude.ai',

  read(document) {
    const messages = [...document.querySelectorAll(`${USER}, ${ASSISTANT}`)].filter(
      (message) => message.parentElement?.closest(`${USER}, ${ASSISTANT}`) == null,
    );
    if (messages.length === 0) return null;
    const isStreaming = document.querySelector(STREAMING) !== null;
    const complete = messages.filter(
      (message) => message.closest(STREAMING) === null && message.querySelector(STREAMING) === null,
    );
    const turns = complete.map((message) =>
      message.matches(USER)
        ? { role: 'user', text: typedText(message) }
        : { role: 'assistant', text: turnText(message, CLUTTER) },
    );
    return {
      title: titleWithout(document, /(?<!\s)\s*[-–|\\]\s*Claude$|^Claude$/),
      turns: dropEmptyTurns(turns),
      isStreaming,
    };
  },
};
