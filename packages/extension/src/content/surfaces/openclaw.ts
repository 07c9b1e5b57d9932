import { dropEmptyTurns, type Surface, turnText } from './surface.js';

/** Consecutive messages of one author form a group; the text of each is in a bubble. */
const GROUP = '.chat-group.user, .chat-group.assistant';
const TEXT = '.chat-text';
const BUBBLE = '.chat-bubble';
const STREAMING = '.chat-bubble.streaming, .chat-reading-indicator';
const CLUTTER = '.chat-thinking, .chat-tool-card, .chat-copy-btn, .code-block-header';

/** The Control UI of OpenClaw, which users run at their own addresses. */
export const openclaw: Surface = {
  name: 'openclaw',
  isAt: (host, openclawHosts) => openclawHosts.some((known) => known === host || known === host.replace(/:\d+$/, '')),

  read(document) {
    const groups = [...document.querySelectorAll(GROUP)];
    if (groups.length === 0) return null;
    const isStreaming = document.querySelector(STREAMING) !== null;
    const turns = groups
      .filter((group) => group.querySelector(STREAMING) === null)
      .flatMap((group) => {
        const role = group.classList.contains('user') ? 'user' : 'assistant';
        const texts = group.querySelectorAll(TEXT);
        return [...(texts.length > 0 ? texts : group.querySelectorAll(BUBBLE))].map((text) => ({
          role,
          text: turnText(text, CLUTTER),
        }));
      });
    return { title: titleOf(document), turns: dropEmptyTurns(turns), isStreaming };
  },
};

/** Every session has the same document title, so the session name comes from the address. */
function titleOf(document: Document): string {
  const session = new URLSearchParams(document.location.search).get('session');
  return session === null || session === '' ? 'OpenClaw' : `OpenClaw: ${session}`;
}
