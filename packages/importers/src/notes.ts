import { limits } from '@recollect/contract/limits';
import { clippingDate } from './clipping-date.js';
import { defineImporter, type Item } from './importer.js';
import { item, noteText, quoteItem } from './to-capture.js';
import { type Fields, fieldsIn, instantOf, isFields, textOf, textsOf } from './values.js';

/** Google Keep, which has a file for each note. */
export const keep = defineImporter({
  program: 'Google Keep',
  detects(file) {
    const note = file.json();
    return isFields(note) && 'userEditedTimestampUsec' in note && 'isTrashed' in note;
  },
  *read(file) {
    yield readNote(file.json() as Fields, file.name);
  },
});

function readNote(note: Fields, name: string): Item {
  const title = textOf(note.title);
  if (note.isTrashed === true) return { skipped: title || name, reason: 'It is in the trash of Keep.' };
  const lines = fieldsIn(note.listContent).map(
    ({ text, isChecked }) => `- [${isChecked === true ? 'x' : ' '}] ${textOf(text)}`,
  );
  const links = fieldsIn(note.annotations).map(({ url }) => textOf(url));
  const parts = [textOf(note.textContent), lines.join('\n'), ...links];
  const text = parts.filter((part) => part !== '').join('\n\n');
  if (text === '' && title === '') return { skipped: name, reason: 'The note has no text.' };
  return item({
    capture: {
      title,
      pageText: noteText(title, text),
      sourceApp: 'keep',
      tags: fieldsIn(note.labels).map((label) => textOf(label.name)),
      capturedAt: instantOf(note.createdTimestampUsec) ?? instantOf(note.userEditedTimestampUsec),
    },
    isStarred: note.isPinned === true,
  });
}

/** Memories of assistants: mcp-memory-service, mem0 and OpenMemory. */
export const memoryService = defineImporter({
  program: 'memory services (mcp-memory-service, mem0)',
  detects: (file) => memoriesIn(file.json()).some((memory) => contentOf(memory) !== ''),
  *read(file) {
    const json = file.json();
    const { categories, apps } = isFields(json) ? json : {};
    const names = new Map([...fieldsIn(categories), ...fieldsIn(apps)].map(({ id, name }) => [id, textOf(name)]));
    for (const memory of memoriesIn(json)) yield readMemory(memory, names);
  },
});

function memoriesIn(json: unknown): Fields[] {
  if (isFields(json) && Array.isArray(json.memories)) return fieldsIn(json.memories);
  // A list of anything else that has a content is not one of memories.
  const list = fieldsIn(isFields(json) ? json.results : json);
  return list.filter((one) => 'memory' in one && 'created_at' in one);
}

function contentOf({ content, memory }: Fields): string {
  return textOf(content) || textOf(memory);
}

/** @param names those of categories and apps, which OpenMemory lists beside the memories */
function readMemory(memory: Fields, names: ReadonlyMap<unknown, string>): Item {
  const text = contentOf(memory);
  if (text === '') return { skipped: textOf(memory.id), reason: 'The memory has no text.' };
  if (textOf(memory.state) === 'deleted') return { skipped: text.slice(0, 80), reason: 'It was deleted there.' };
  const metadata = isFields(memory.metadata) ? memory.metadata : {};
  return item({
    capture: {
      pageText: text,
      sourceApp: (textOf(memory.app) || names.get(memory.app_id) || 'memory').slice(0, limits.capture.sourceAppLength),
      tags: [...textsOf(memory.tags), ...textsOf(memory.categories), ...namesOf(memory.category_ids, names)],
      capturedAt: instantOf(memory.created_at_iso) ?? instantOf(memory.created_at),
      metadata: { ...metadata, ...(memory.memory_type ? { memoryType: memory.memory_type } : {}) },
    },
  });
}

function namesOf(ids: unknown, names: ReadonlyMap<unknown, string>): string[] {
  return Array.isArray(ids) ? ids.flatMap((id) => names.get(id) ?? []) : [];
}

/** The reference server for memory of the Model Context Protocol: a line of JSON for each entity and relation. */
export const referenceMemory = defineImporter({
  program: 'MCP reference memory',
  detects({ text }) {
    const [first = '', second = ''] = text.trimStart().split('\n', 2);
    return linesOf(`${first}\n${second}`).some(
      ({ type, observations }) => type === 'entity' && Array.isArray(observations),
    );
  },
  *read({ text }) {
    const lines = linesOf(text);
    const byFrom = Map.groupBy(
      lines.filter(({ type }) => type === 'relation'),
      ({ from }) => from,
    );
    for (const { name, entityType, observations } of lines.filter(({ type }) => type === 'entity')) {
      const relations = byFrom.get(name) ?? [];
      const facts = [
        ...textsOf(Array.isArray(observations) ? observations : []),
        ...relations.map(({ relationType, to }) => `${textOf(relationType)}: ${textOf(to)}`),
      ];
      if (facts.length === 0) yield { skipped: textOf(name), reason: 'Nothing is known of it.' };
      else
        yield item({
          capture: {
            title: textOf(name),
            pageText: [textOf(name), facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n'),
            sourceApp: 'memory',
            tags: textsOf([entityType]),
          },
        });
    }
  },
});

function linesOf(text: string): Fields[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = line.startsWith('{') ? JSON.parse(line) : null;
      return isFields(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The author in parentheses behind a title, which may have parentheses of its own. */
const AUTHOR = / \(([^()]+(?:\([^()]*\)[^()]*)?)\)$/;
const END_OF_CLIPPING = /^={10}\r?$/m;

/** `My Clippings.txt` of Kindle: a block for each highlight and note, in the language of the device. */
export const kindle = defineImporter({
  program: 'Kindle',
  detects({ text }) {
    const [, place = ''] = text.slice(0, 4_096).split('\n');
    return /^- .*\d.*\|/.test(place) && END_OF_CLIPPING.test(text);
  },
  *read({ text }) {
    const blocks = text.split(/^={10}\r?\n?/m).filter((block) => block.trim() !== '');
    const clippings = blocks.map(readClipping);
    for (const [at, clipping] of clippings.entries()) {
      const { title, author, place, quote } = clipping;
      if (quote === '') yield { skipped: title, reason: 'The clipping has no text.' };
      else if (isRepeated(clippings.slice(at + 1, at + 1 + NEAR), clipping))
        yield { skipped: title, reason: 'A later clipping contains it.' };
      else yield quoteItem({ quote, title, author, place, sourceApp: 'kindle', at: clippingDate(place) });
    }
  },
});

/** Clippings after one among which a longer one is looked for: a highlight that is extended is written again. */
const NEAR = 20;

interface Clipping {
  title: string;
  author: string;
  place: string;
  quote: string;
}

/** A line with the title, one with the place and time, an empty one, and the text. */
function readClipping(block: string): Clipping {
  const [head = '', place = '', , ...text] = block.replace(/^\uFEFF/, '').split(/\r?\n/);
  const name = head.trim().slice(0, LONGEST);
  const [behind, author = ''] = AUTHOR.exec(name) ?? [];
  const title = behind === undefined ? name : name.slice(0, -behind.length);
  return { title, author, place: place.replace(/^- */, '').trim(), quote: text.join('\n').trim() };
}

/** Characters of a title that are read. */
const LONGEST = 1_000;

/** Whether a later clipping at the same place contains one. */
function isRepeated(later: readonly Clipping[], { title, place, quote }: Clipping): boolean {
  const [where] = /\d+/.exec(place) ?? [];
  return later.some(
    (other) => other.title === title && /\d+/.exec(other.place)?.[0] === where && other.quote.includes(quote),
  );
}
