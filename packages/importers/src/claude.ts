import { defineImporter, type ImportFile, type Item, readEach } from './importer.js';
import { conversationItem, item, noteText } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, isFields, textOf } from './values.js';
import { type KnownDocuments, withoutArtifactTags, writtenByClaude } from './written-document.js';

/**
 * `conversations.json` of Claude. Texts that were attached to a message are part of it, and so are the artifacts and
 * files that it wrote. Thoughts and other calls of tools are left out.
 */
export const claude = defineImporter({
  program: 'Claude',
  detects: (file) =>
    fieldsIn(file.isList ? file.head() : [file.object()]).some(({ chat_messages }) => Array.isArray(chat_messages)),
  *read(file) {
    // Browser tools save one conversation as an object.
    yield* readEach(fieldsOf(file.isList ? file.entries() : [file.object()]), readConversation, ({ name }) =>
      textOf(name),
    );
  },
});

function readConversation(conversation: Fields): Item {
  const id = textOf(conversation.uuid);
  const title = textOf(conversation.name);
  const documents: KnownDocuments = new Map();
  const messages = currentBranch(conversation).flatMap((message) => {
    const text = contentOf(message, documents);
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

/**
 * The messages that were last shown. Where a question was edited, the others have another parent; exports without
 * parents have one branch.
 */
function currentBranch({ chat_messages, current_leaf_message_uuid: leaf }: Fields): Fields[] {
  const messages = fieldsIn(chat_messages);
  const byId = new Map(messages.map((message) => [textOf(message.uuid), message]));
  byId.delete('');
  const branch: Fields[] = [];
  const passed = new Set<string>();
  let id = textOf(leaf);
  for (let message = byId.get(id); message !== undefined && !passed.has(id); message = byId.get(id)) {
    passed.add(id);
    branch.push(message);
    id = textOf(message.parent_message_uuid);
  }
  return branch.length === 0 ? messages : branch.reverse();
}

function contentOf({ content, text, attachments }: Fields, documents: KnownDocuments): string {
  const parts = fieldsIn(content).map((part) => {
    if (part.type === 'text') return withoutArtifactTags(textOf(part.text));
    return part.type === 'tool_use' ? writtenByClaude(part, documents) : '';
  });
  const said = parts.filter((part) => part !== '').join('\n\n') || withoutArtifactTags(textOf(text));
  const attached = fieldsIn(attachments).flatMap(({ file_name, extracted_content }) => {
    const extracted = textOf(extracted_content);
    return extracted === '' ? [] : [`${textOf(file_name) || 'Attachment'}:\n\n${extracted}`];
  });
  return [said, ...attached].filter((part) => part !== '').join('\n\n');
}

/** `memories.json` of Claude: its memory of the user and of each project. */
export const claudeMemories = defineImporter({
  program: 'Claude',
  detects: (file) => [...memoriesIn(file, file.head())].length > 0,
  *read(file) {
    yield* readEach(memoriesIn(file, file.entries()), readMemories, () => 'What Claude remembers');
  },
});

function* readMemories({ conversations_memory, project_memories }: Fields): Generator<Item> {
  yield memoryItem('What Claude remembers', conversations_memory);
  for (const memory of Object.values(isFields(project_memories) ? project_memories : {}))
    yield memoryItem('What Claude remembers of a project', memory);
}

/** A list, or the only object of one. */
function* memoriesIn(file: ImportFile, entries: Iterable<unknown>): Generator<Fields> {
  const list = file.isList ? entries : [file.object()];
  for (const entry of fieldsOf(list)) if ('conversations_memory' in entry || 'project_memories' in entry) yield entry;
}

function memoryItem(title: string, memory: unknown): Item {
  const text = textOf(memory);
  if (text === '') return { skipped: title, reason: 'It is empty.', isExpected: true };
  return item({ capture: { title, pageText: text, sourceApp: 'claude' } });
}

/** `projects.json` of Claude: the instructions and documents of each project. */
export const claudeProjects = defineImporter({
  program: 'Claude',
  detects: (file) =>
    fieldsIn(file.head()).some(({ docs, prompt_template }) => Array.isArray(docs) && prompt_template !== undefined),
  *read(file) {
    yield* readEach(fieldsOf(file.entries()), readProject, ({ name }) => textOf(name));
  },
});

function* readProject(project: Fields): Generator<Item> {
  const name = textOf(project.name);
  if (project.is_starter_project === true)
    return yield { skipped: name, reason: 'It is an example of Claude.', isExpected: true };
  const instructions = [textOf(project.description), textOf(project.prompt_template)];
  const text = instructions.filter((part) => part !== '').join('\n\n');
  const common = { sourceApp: 'claude', tags: [name] };
  const at = instantOf(project.created_at);
  if (text !== '') yield item({ capture: { ...common, title: name, pageText: noteText(name, text), capturedAt: at } });
  for (const { filename, content, created_at } of fieldsIn(project.docs)) {
    const [title, body] = [textOf(filename), textOf(content)];
    if (body === '') yield { skipped: title, reason: 'The document has no text.', isExpected: true };
    else yield item({ capture: { ...common, title, pageText: body, capturedAt: instantOf(created_at) ?? at } });
  }
}
