import { defineImporter, type Item } from './importer.js';
import { conversationItem } from './to-capture.js';
import { type Fields, fieldsIn, instantOf, textOf } from './values.js';

/** `conversations.json` of Claude. Texts that were attached to a message are part of it; thoughts and calls of tools are left out. */
export const claude = defineImporter({
  program: 'Claude',
  detects: (file) => fieldsIn(file.json()).some(({ chat_messages }) => Array.isArray(chat_messages)),
  *read(file) {
    for (const conversation of fieldsIn(file.json())) yield readConversation(conversation);
  },
});

function readConversation(conversation: Fields): Item {
  const id = textOf(conversation.uuid);
  const title = textOf(conversation.name);
  const messages = fieldsIn(conversation.chat_messages).flatMap((message) => {
    const text = contentOf(message);
    return text === '' ? [] : [{ role: message.sender === 'human' ? 'user' : textOf(message.sender), text }];
  });
  return conversationItem({
    id,
    title,
    site: 'https://claude.ai/chat/',
    sourceApp: 'claude',
    messages,
    at: instantOf(conversation.created_at),
    isStarred: conversation.is_starred === true,
  });
}

function contentOf({ content, text, attachments }: Fields): string {
  const parts = fieldsIn(content).flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : []));
  const said = parts.filter((part) => part !== '').join('\n\n') || textOf(text);
  const attached = fieldsIn(attachments).flatMap(({ file_name, extracted_content }) => {
    const extracted = textOf(extracted_content);
    return extracted === '' ? [] : [`${textOf(file_name) || 'Attachment'}:\n\n${extracted}`];
  });
  return [said, ...attached].filter((part) => part !== '').join('\n\n');
}
