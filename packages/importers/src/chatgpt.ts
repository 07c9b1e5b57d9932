import { defineImporter, type Item, readEach } from './importer.js';
import { conversationItem } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, isFields, textOf } from './values.js';
import { type KnownDocuments, reportOfChatGpt, writtenByChatGpt } from './written-document.js';

/** The places of sources in an answer, which only its page can show. */
const CITATIONS = /\ue200[^\ue200\ue201]*\ue201/g;

/**
 * `conversations.json` of ChatGPT, and its parts. A conversation is a tree, because a question can be edited: the
 * branch shown last is the path from `current_node` up. Includes the text of canvases. Leaves out hidden messages,
 * thoughts and other tool calls.
 */
export const chatGpt = defineImporter({
  program: 'ChatGPT',
  detects: (file) => fieldsIn(file.isList ? file.head() : [file.object()]).some(({ mapping }) => isFields(mapping)),
  *read(file) {
    // Browser tools save one conversation as an object.
    yield* readEach(fieldsOf(file.isList ? file.entries() : [file.object()]), readConversation, ({ title }) =>
      textOf(title),
    );
  },
});

function readConversation(conversation: Fields): Item {
  const id = textOf(conversation.conversation_id) || textOf(conversation.id);
  const title = textOf(conversation.title);
  const documents: KnownDocuments = new Map();
  // Several states of the window of a research have its report.
  const reports = new Set<string>();
  const messages = pathOf(conversation).flatMap(({ message }) => {
    if (!isFields(message)) return [];
    const at = message.create_time;
    const report = reportOfChatGpt(message);
    const written = writtenByChatGpt(message, documents) || (reports.has(report) ? '' : report);
    reports.add(report);
    const text = isShown(message) ? contentOf(message.content) : '';
    const turns = [
      { role: 'assistant', text: written, at },
      { role: roleOf(message), text: text === report ? '' : text, at },
    ];
    return turns.filter((turn) => turn.text !== '');
  });
  return conversationItem({
    id,
    title,
    site: 'https://chatgpt.com/c/',
    sourceApp: 'chatgpt',
    messages,
    at: instantOf(conversation.create_time) ?? instantOf(messages[0]?.at),
    isStarred: conversation.is_starred === true,
  });
}

/** The nodes from the first to the current one. Children are not followed: exports leave some out. */
function pathOf({ mapping, current_node }: Fields): Fields[] {
  const nodes = isFields(mapping) ? mapping : {};
  const path: Fields[] = [];
  const passed = new Set<string>();
  const current = textOf(current_node);
  let id = isFields(nodes[current]) ? current : newestIn(nodes);
  while (id !== '' && !passed.has(id)) {
    const node = nodes[id];
    if (!isFields(node)) break;
    passed.add(id);
    path.push(node);
    id = textOf(node.parent);
  }
  return path.reverse();
}

/** The node with the newest message, for an export that does not say which is the current one. */
function newestIn(nodes: Fields): string {
  const timeOf = (node: unknown) =>
    isFields(node) && isFields(node.message) ? Number(node.message.create_time ?? 0) : -1;
  const ids = Object.keys(nodes).sort((first, second) => timeOf(nodes[first]) - timeOf(nodes[second]));
  return ids.at(-1) ?? '';
}

function roleOf({ author }: Fields): string {
  return isFields(author) ? textOf(author.role) : '';
}

function isShown(message: Fields): boolean {
  const { metadata, recipient } = message;
  const isHidden = isFields(metadata) && metadata.is_visually_hidden_from_conversation === true;
  const isForAll = recipient === undefined || recipient === null || recipient === 'all';
  return ['user', 'assistant'].includes(roleOf(message)) && !isHidden && isForAll;
}

/** Kinds of content that are shown as the message itself. */
const SHOWN_CONTENT_TYPES = ['text', 'multimodal_text', 'code'];

function contentOf(content: unknown): string {
  if (!isFields(content) || !SHOWN_CONTENT_TYPES.includes(textOf(content.content_type))) return '';
  const parts: unknown[] = Array.isArray(content.parts) ? content.parts : [content.text];
  const texts = parts.map((part) => (isFields(part) ? textOf(part.text) : textOf(part)));
  return texts
    .filter((text) => text !== '')
    .join('\n\n')
    .replace(CITATIONS, '')
    .trim();
}
