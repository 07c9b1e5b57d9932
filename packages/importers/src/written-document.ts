import { type Fields, fieldsIn, isFields, textOf } from './values.js';

/** A document that an assistant wrote beside a conversation: an artifact or a file of Claude, a canvas of ChatGPT. */
interface WrittenDocument {
  title: string;
  /** All of it, or the passage that is new. */
  text: string;
  /** Of a program; empty for prose in Markdown. */
  language: string;
}

/** Types of artifacts that are code, and their languages. Others name theirs, or are prose. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'image/svg+xml': 'svg',
  'application/vnd.ant.react': 'jsx',
  'application/vnd.ant.mermaid': 'mermaid',
};

/** Endings of files that are prose, and are shown as it. */
const PROSE = ['md', 'markdown', 'txt'];

/** The documents of a conversation so far, by their ids, since a change does not repeat the name of its document. */
export type KnownDocuments = Map<string, Pick<WrittenDocument, 'title' | 'language'>>;

/**
 * The output of a tool call of Claude, as Markdown: an artifact or a file; of a change, the new passage.
 * Empty for other calls.
 */
export function writtenByClaude({ name, input }: Fields, documents: KnownDocuments): string {
  if (!isFields(input)) return '';
  if (name === 'artifacts') {
    const id = textOf(input.id);
    const known = documents.get(id) ?? { title: id, language: '' };
    const title = textOf(input.title) || known.title;
    const language = textOf(input.language) || (LANGUAGES[textOf(input.type)] ?? known.language);
    documents.set(id, { title, language });
    return asMarkdown({ title, text: writtenText(input.content) || writtenText(input.new_str), language });
  }
  const path = textOf(input.path);
  const title = path.slice(path.lastIndexOf('/') + 1);
  const ending = title.includes('.') ? title.slice(title.lastIndexOf('.') + 1).toLowerCase() : '';
  const language = PROSE.includes(ending) ? '' : ending || 'text';
  if (name === 'create_file') return asMarkdown({ title, text: writtenText(input.file_text), language });
  if (name === 'str_replace') return asMarkdown({ title, text: writtenText(input.new_str), language });
  return '';
}

/** The message of Claude with the artifacts in it, which it wrote between tags until 2025, as Markdown. */
export function withoutArtifactTags(text: string): string {
  const [last = '', ...before] = text.split(END).reverse();
  const shown = before.reverse().map((part) => {
    const at = part.indexOf(START);
    const opened = at === -1 ? null : TAG.exec(part.slice(at));
    if (opened === null) return part + END;
    const written = part.slice(at + opened[0].length);
    const { title = '', type = '', language = LANGUAGES[type] ?? '' } = attributesOf(opened[0]);
    return `${part.slice(0, at).trimEnd()}\n\n${asMarkdown({ title, text: writtenText(written), language })}\n\n`;
  });
  return [...shown, before.length === 0 ? last : last.trimStart()].join('').trim();
}

const START = '<antArtifact';
const END = '</antArtifact>';
const TAG = /^<antArtifact\s[^>]*>/;

function attributesOf(tag: string): Partial<Record<string, string>> {
  return Object.fromEntries([...tag.matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

/**
 * The text that a ChatGPT message wrote to a canvas, as Markdown: all of it, or the new passages. Empty for other
 * messages. A change is one of the last canvas: it does not name another.
 */
export function writtenByChatGpt({ recipient, content }: Fields, documents: KnownDocuments): string {
  const call = CANVAS.exec(textOf(recipient))?.[1];
  if (call === undefined || !isFields(content)) return '';
  const fields = parse(content.text ?? (Array.isArray(content.parts) ? content.parts[0] : ''));
  if (call === 'create') {
    const [kind, format = ''] = textOf(fields.type).split('/');
    const known = { title: textOf(fields.name), language: kind === 'code' ? format || 'text' : '' };
    documents.set(LAST_DOCUMENT, known);
    return asMarkdown({ ...known, text: writtenText(fields.content) });
  }
  const { title, language } = documents.get(LAST_DOCUMENT) ?? { title: '', language: '' };
  return fieldsIn(fields.updates)
    .map(({ replacement }) => asMarkdown({ title, language, text: writtenText(replacement) }))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The id of the last canvas of a conversation. Only the tool's answer names it. */
const LAST_DOCUMENT = 'canvas';

const CANVAS = /^canmore\.(create|update)_textdoc$/;

/** The report of a ChatGPT deep research, which its page shows in a separate frame. Empty for other messages. */
export function reportOfChatGpt({ metadata }: Fields): string {
  const sdk = isFields(metadata) && isFields(metadata.chatgpt_sdk) ? metadata.chatgpt_sdk : {};
  const { status, report_message: report } = parse(sdk.widget_state);
  if (status !== 'completed' || !isFields(report) || !isFields(report.content)) return '';
  return Array.isArray(report.content.parts) ? textOf(report.content.parts[0]) : '';
}

function parse(json: unknown): Fields {
  try {
    const value: unknown = JSON.parse(textOf(json));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** A text without the empty lines around it. Its first line may begin with white space that means something. */
function writtenText(value: unknown): string {
  return typeof value === 'string' ? value.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd() : '';
}

function asMarkdown({ title, text, language }: WrittenDocument): string {
  if (text === '') return '';
  const shown = language === '' ? text : fenced(text, language);
  return title === '' || isHeaded(shown, title) ? shown : `**${title}**\n\n${shown}`;
}

/** Whether prose has its title as its first heading. */
function isHeaded(text: string, title: string): boolean {
  const [first = ''] = text.split('\n', 1);
  return first.startsWith('#') && first.replace(/^#+/, '').trim() === title;
}

/** A block of code, within a fence that is longer than any in it. */
function fenced(code: string, language: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
