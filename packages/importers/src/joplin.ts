import { isPageAddress } from '@recollect/contract/text';
import { defineImporter, type ImportFile, type Item } from './importer.js';
import { item, noteText, pathOf } from './to-capture.js';
import { instantOf } from './values.js';

/** The content of a Joplin file. */
const TYPES = { note: '1', folder: '2', tag: '5', tagged: '6' };
/** A property. They stand at the end of each file, and the type is the last. */
const PROPERTY = /^(?<name>[a-z_]+):(?<value>.*)$/;
/** Lines that properties have at most: there are thirty. */
const MAX_PROPERTIES = 100;
const NAME = /(?:^|\/)[0-9a-f]{32}\.md$/;
/** Links to other notes and to files, by their ids. */
const INNER_LINK = /(!?)\[([^[\]]*)\]\(:\/[0-9a-f]{32}(?:#[^()\s]*)?(?: "[^"]*")?\)/g;

interface Entry {
  title: string;
  body: string;
  type: string;
  property(name: string): string;
}

/** The export of Joplin (JEX or RAW): a file for each note, notebook and tag, and for each tag of a note. */
export const joplin = defineImporter({
  program: 'Joplin',
  detects: ({ name, text }) => NAME.test(name) && readEntry(text) !== null,
  async *read(file) {
    const entry = readEntry(file.text);
    if (entry?.type !== TYPES.note) return;
    yield { name: entry.title || file.name, read: () => readNote(entry, file) };
  },
});

function readEntry(text: string): Entry | null {
  const lines = text.trimEnd().split(/\r?\n/);
  const properties = new Map<string, string>();
  while (properties.size < MAX_PROPERTIES) {
    const { name, value = '' } = PROPERTY.exec(lines.at(-1) ?? '')?.groups ?? {};
    if (name === undefined || (properties.size === 0 && name !== 'type_')) break;
    properties.set(name, value.trim());
    lines.pop();
  }
  const type = properties.get('type_');
  if (type === undefined || !properties.has('id')) return null;
  const [title = '', ...body] = lines;
  return { title: title.trim(), body: body.join('\n').trim(), type, property: (name) => properties.get(name) ?? '' };
}

async function readNote({ title, body, property }: Entry, file: ImportFile): Promise<Item> {
  if (property('encryption_applied') === '1')
    return {
      skipped: title || file.name,
      reason: 'It is encrypted. Switch the encryption off in Joplin, and export again.',
    };
  if (Number(property('deleted_time')) > 0)
    return { skipped: title, reason: 'It is in the trash of Joplin.', isExpected: true };
  const isHtml = property('markup_language') === '2';
  const markdown = isHtml ? (await import('./html-to-markdown.js')).htmlToMarkdown(body) : body;
  const text = markdown.replace(INNER_LINK, (_, picture, label) => (picture === '!' ? '' : label)).trim();
  if (text === '' && title === '') return { skipped: file.name, reason: 'The note is empty.', isExpected: true };
  const isTask = property('is_todo') === '1';
  const box = `- [${Number(property('todo_completed')) > 0 ? 'x' : ' '}] ${title}`;
  const url = property('source_url');
  const [notebook, tags, author] = [
    await notebookOf(property('parent_id'), file),
    await tagsOf(property('id'), file),
    property('author'),
  ];
  return item({
    capture: {
      title,
      pageText: isTask ? [box, text].filter((part) => part !== '').join('\n\n') : noteText(title, text),
      sourceApp: 'joplin',
      ...(isPageAddress(url) ? { url } : {}),
      tags: [...tags, pathOf(notebook)],
      capturedAt: instantOf(property('user_created_time') || property('created_time')),
      metadata: {
        ...(author === '' ? {} : { author }),
        ...(notebook.length === 0 ? {} : { folder: notebook.join('/') }),
      },
    },
  });
}

/** The names of the notebooks around a note, from the outermost on. */
async function notebookOf(id: string, file: ImportFile): Promise<string[]> {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at = id; at !== '' && !seen.has(at); ) {
    seen.add(at);
    const notebook = readEntry((await file.sibling(`${at}.md`)) ?? '');
    if (notebook === null) break;
    names.unshift(notebook.title);
    at = notebook.property('parent_id');
  }
  return names;
}

/**
 * The tags of all notes of an archive, by the list of its files: they are files themselves, one for each note and tag.
 */
const tagsOfArchives = new WeakMap<readonly string[], Promise<ReadonlyMap<string, string[]>>>();

async function tagsOf(id: string, file: ImportFile): Promise<readonly string[]> {
  const archiveTags = tagsOfArchives.get(file.names) ?? readTags(file);
  tagsOfArchives.set(file.names, archiveTags);
  return (await archiveTags).get(id) ?? [];
}

async function readTags(file: ImportFile): Promise<ReadonlyMap<string, string[]>> {
  const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
  const titles = new Map<string, string>();
  const pairs: [note: string, tag: string][] = [];
  for (const name of file.names) {
    if (!NAME.test(name)) continue;
    const entry = readEntry((await file.sibling(name.slice(name.startsWith(folder) ? folder.length : 0))) ?? '');
    if (entry?.type === TYPES.tag) titles.set(entry.property('id'), entry.title);
    if (entry?.type === TYPES.tagged) pairs.push([entry.property('note_id'), entry.property('tag_id')]);
  }
  const tags = new Map<string, string[]>();
  for (const [note, tag] of pairs) {
    const title = titles.get(tag);
    if (title !== undefined) tags.set(note, [...(tags.get(note) ?? []), title]);
  }
  return tags;
}
