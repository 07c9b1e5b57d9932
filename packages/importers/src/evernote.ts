import { isPageAddress } from '@recollect/contract/text';
import { Parser } from 'htmlparser2';
import { defineImporter, type Item } from './importer.js';
import { item, noteText } from './to-capture.js';
import { instantOf } from './values.js';

/** ENEX of Evernote: notes in XML, whose text is a kind of HTML (ENML), with what is attached in Base64. */
export const evernote = defineImporter({
  program: 'Evernote',
  detects: ({ text }) => /<en-export[\s>]/.test(text.slice(0, 4_096)),
  async *read({ text }) {
    // Few exports need it, and it takes longer to load than most take to read.
    const { htmlToMarkdown } = await import('./html-to-markdown.js');
    for (let start = text.indexOf(START); start >= 0; start = text.indexOf(START, start + 1)) {
      const end = text.indexOf('</note>', start);
      if (end < 0) throw new Error('the file ends within a note.');
      yield toItem(readNote(text.slice(start, end)), htmlToMarkdown);
    }
  },
});

const START = '<note>';

interface Note {
  title: string;
  content: string;
  created: string;
  updated: string;
  sourceUrl: string;
  author: string;
  tags: string[];
  files: string[];
}

/** Elements of a note with a text of their own, by what becomes of it. */
const FIELDS: Readonly<Record<string, keyof Note>> = {
  title: 'title',
  content: 'content',
  created: 'created',
  updated: 'updated',
  'source-url': 'sourceUrl',
  author: 'author',
  tag: 'tags',
  'file-name': 'files',
};

function readNote(xml: string): Note {
  const note: Note = {
    title: '',
    content: '',
    created: '',
    updated: '',
    sourceUrl: '',
    author: '',
    tags: [],
    files: [],
  };
  let text = '';
  const parser = new Parser(
    {
      onopentag() {
        text = '';
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name) {
        const field = FIELDS[name];
        if (field === undefined) return;
        if (field === 'tags' || field === 'files') note[field].push(text.trim());
        else note[field] = text.trim();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return note;
}

function toItem(note: Note, toMarkdown: (html: string) => string): Item {
  const { title, created, updated, sourceUrl, author, tags, files } = note;
  const text = toMarkdown(toHtml(note.content));
  if (text === '' && title === '') return { skipped: files.join(', ') || 'A note', reason: 'The note has no text.' };
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

/** `20240301T100000Z` as ISO 8601 writes it in full. */
function timeOf(time: string): string | undefined {
  return instantOf(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** Elements that are empty in HTML, too. */
const VOID = /^(?:br|hr|img|input|col|wbr)$/i;

/** A block of code: an element for each line. The property had one hyphen in older versions of Evernote. */
const CODE =
  /<div style="[^"]*-en-codeblock:\s*true[^"]*"[^>]*>((?:\s*<div[^>]*>(?:(?!<\/?div).)*<\/div>)*)\s*<\/div>/gs;
/** A line of one, which may be empty. */
const LINE = /\s*<div[^>]*>((?:(?!<\/?div).)*)<\/div>/gs;

/** An empty line is an element with a break. */
const withoutBreaks = (line: string) => line.replace(/<br[^>]*>/g, '');

/** ENML as HTML: its tasks are boxes, and what it encrypts or attaches is named or left out. */
function toHtml(enml: string): string {
  const boxOf = (attributes: string) => `<input type="checkbox"${/checked="?true/.test(attributes) ? ' checked' : ''}>`;
  return enml
    .replace(/<\?xml[^>]*>|<!DOCTYPE[^>]*>/g, '')
    .replace(/<(\/?)en-note[^>]*>/g, '<$1div>')
    .replace(/<en-media[^>]*>(?:<\/en-media>)?/g, '')
    .replace(/<en-crypt[^>]*>.*?<\/en-crypt>/gs, '[encrypted]')
    .replace(
      CODE,
      (_, lines: string) => `<pre>${lines.replace(LINE, (_line, code) => `${withoutBreaks(code)}\n`)}</pre>`,
    )
    .replace(/<li style="([^"]*--en-checked:[^"]*)"[^>]*>/g, (_, style) => `<li>${boxOf(style.replace(':', '='))}`)
    .replace(/<div>\s*<en-todo([^>]*)>(?:<\/en-todo>)?(.*?)<\/div>/gs, (_, attributes, text) => {
      return `<ul><li>${boxOf(attributes)}${text}</li></ul>`;
    })
    .replace(/<\/?en-todo([^>]*)>/g, (_, attributes) => boxOf(attributes))
    .replace(/<([a-z][\w-]*)([^<>]*)\/>/gi, (whole, name, attributes) =>
      VOID.test(name) ? whole : `<${name}${attributes}></${name}>`,
    );
}
