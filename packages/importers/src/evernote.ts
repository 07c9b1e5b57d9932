import { isPageAddress } from '@recollect/contract/text';
import { Parser } from 'htmlparser2';
import { enmlToHtml } from './enml-to-html.js';
import { defineImporter, type Item } from './importer.js';
import { item, noteText } from './to-capture.js';
import { instantOf } from './values.js';

/** ENEX of Evernote: notes in XML, whose text is a kind of HTML (ENML), with attachments in Base64. */
export const evernote = defineImporter({
  program: 'Evernote',
  detects: ({ text }) => /<en-export[\s>]/.test(text.slice(0, 4_096)),
  async *read({ text }) {
    // Few exports need it, and it takes longer to load than most take to read.
    const { htmlToMarkdown } = await import('./html-to-markdown.js');
    for (let start = text.indexOf(START); start >= 0; ) {
      const end = text.indexOf(END, start);
      if (end < 0) throw new Error('the file ends within a note.');
      const xml = text.slice(start, end);
      yield {
        name: /<title>([^<]{1,500})/.exec(xml)?.[1]?.trim() || 'A note',
        read() {
          const note = readNote(xml);
          return note === null ? { skipped: 'A note', reason: TOO_DEEP } : toItem(note, htmlToMarkdown);
        },
      };
      start = text.indexOf(START, end);
    }
  },
});

const START = '<note>';
const END = '</note>';
const TOO_DEEP = 'The elements of the note are nested too deep.';

interface Note {
  title: string;
  content: string;
  created: string;
  updated: string;
  sourceUrl: string;
  author: string;
  tags: string[];
  files: string[];
  tasks: { title: string; isDone: boolean }[];
}

/**
 * Stores the text of an element in a note, by the element's path. Tasks and attached files have elements with the same
 * names: title, dates and address.
 */
const FIELDS = new Map<string, (note: Note, text: string) => unknown>([
  ['note/title', (note, text) => Object.assign(note, { title: text })],
  ['note/content', (note, text) => Object.assign(note, { content: text })],
  ['note/created', (note, text) => Object.assign(note, { created: text })],
  ['note/updated', (note, text) => Object.assign(note, { updated: text })],
  ['note/note-attributes/source-url', (note, text) => Object.assign(note, { sourceUrl: text })],
  ['note/note-attributes/author', (note, text) => Object.assign(note, { author: text })],
  ['note/tag', ({ tags }, text) => tags.push(text)],
  ['note/resource/resource-attributes/file-name', ({ files }, text) => files.push(text)],
  ['note/task/title', ({ tasks }, text) => Object.assign(tasks.at(-1) ?? {}, { title: text })],
  ['note/task/taskStatus', ({ tasks }, text) => Object.assign(tasks.at(-1) ?? {}, { isDone: text === 'completed' })],
]);
/** Levels of elements in a note of Evernote, with room for later versions. */
const MAX_DEPTH = 32;

/** Null if the elements of the note are nested too deep. */
function readNote(xml: string): Note | null {
  const note: Note = {
    title: '',
    content: '',
    created: '',
    updated: '',
    sourceUrl: '',
    author: '',
    tags: [],
    files: [],
    tasks: [],
  };
  const paths: string[] = [];
  let text: string[] = [];
  const parser = new Parser(
    {
      onopentag(name) {
        if (paths.length === MAX_DEPTH) throw new RangeError(TOO_DEEP);
        const around = paths.at(-1);
        const path = around === undefined ? name : `${around}/${name}`;
        paths.push(path);
        if (path === 'note/task') note.tasks.push({ title: '', isDone: false });
        text = [];
      },
      ontext(part) {
        text.push(part);
      },
      onclosetag() {
        FIELDS.get(paths.pop() ?? '')?.(note, text.join('').trim());
      },
    },
    { xmlMode: true },
  );
  try {
    parser.end(xml);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return note;
}

function toItem(note: Note, toMarkdown: (html: string) => string): Item {
  const { title, created, updated, sourceUrl, author, tags, files } = note;
  const name = title || files.join(', ') || 'A note';
  const text = textOf(note, toMarkdown);
  if (text === null) return { skipped: name, reason: TOO_DEEP };
  if (text === '' && title === '') return { skipped: name, reason: 'The note has no text.', isExpected: true };
  return item({
    capture: {
      title,
      pageText: noteText(title, text),
      sourceApp: 'evernote',
      ...(isPageAddress(sourceUrl) ? { url: sourceUrl, captureMode: 'page' as const } : {}),
      tags,
      capturedAt: timeOf(created) ?? timeOf(updated),
      metadata: { ...(author === '' ? {} : { author }), ...(files.length === 0 ? {} : { attachments: files }) },
    },
  });
}

/** The text of a note with its tasks; null if it is nested too deep to be read. */
function textOf({ content, tasks }: Note, toMarkdown: (html: string) => string): string | null {
  const lines = tasks.map(({ title, isDone }) => `- [${isDone ? 'x' : ' '}] ${title.replace(/\s+/g, ' ')}`);
  const html = enmlToHtml(content);
  return html === null ? null : [toMarkdown(html), lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** `20240301T100000Z` as ISO 8601 writes it in full. */
function timeOf(time: string): string | undefined {
  return instantOf(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
