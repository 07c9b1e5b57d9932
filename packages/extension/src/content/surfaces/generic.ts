import { type Conversation, dropEmptyTurns, turnText } from './surface.js';

const USER = /^(user|human)$/i;
const ASSISTANT = /^(assistant|ai|bot|model|gpt|claude|gemini)$/i;

const CLUTTER = '[class*="avatar"], [class*="timestamp"], time';

/** How chats mark the speaker: an attribute that names the role, or one selector for each role. */
const ATTRIBUTES = [
  'data-message-author-role',
  'data-message-role',
  'data-turn-role',
  'data-role',
  'data-author',
  'data-sender',
  'data-turn',
];
const PAIRS = [
  ['user-query', 'model-response'],
  ['.user-message', '.assistant-message'],
  ['.user-message', '.bot-message'],
  ['.message.user', '.message.assistant'],
  ['.message.user', '.message.bot'],
  ['.message--user', '.message--assistant'],
  ['.chat-message.user', '.chat-message.assistant'],
  ['.chat-user', '.chat-assistant'],
] as const;

/** The conversation of an unknown chat; null unless it has turns of both roles. */
export function readGenericConversation(document: Document): Conversation | null {
  const marked = [
    ...ATTRIBUTES.map((name) => byAttribute(document, name)),
    ...PAIRS.map((pair) => byPair(document, pair)),
  ];
  const best = marked.reduce((most, next) => (next.length > most.length ? next : most), []);
  const outermost = best.filter(
    ({ element }) => !best.some((other) => other.element !== element && other.element.contains(element)),
  );
  const turns = dropEmptyTurns(outermost.map(({ element, role }) => ({ role, text: turnText(element, CLUTTER) })));
  return new Set(turns.map(({ role }) => role)).size < 2 ? null : { title: null, turns, isStreaming: false };
}

interface Marked {
  element: Element;
  role: string;
}

function byAttribute(document: Document, name: string): Marked[] {
  return [...document.querySelectorAll(`[${name}]`)].flatMap((element) => {
    const value = element.getAttribute(name) ?? '';
    if (USER.test(value)) return [{ element, role: 'user' }];
    return ASSISTANT.test(value) ? [{ element, role: 'assistant' }] : [];
  });
}

function byPair(document: Document, [user, assistant]: readonly [string, string]): Marked[] {
  return [...document.querySelectorAll(`${user}, ${assistant}`)].map((element) => ({
    element,
    role: element.matches(user) ? 'user' : 'assistant',
  }));
}
