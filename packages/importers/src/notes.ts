import { defineImporter, type Item } from './importer.js';
import { item } from './to-capture.js';
import { type Fields, fieldsIn, instantOf, isFields, textOf, textsOf } from './values.js';

/** Google Keep, which has a file for each note. */
export const keep = defineImporter({
  program: 'Google Keep',
  detects(file) {
    const note = file.json();
    return isFields(note) && 'userEditedTimestampUsec' in note && ('textContent' in note || 'listContent' in note);
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
  const text = [textOf(note.textContent), lines.join('\n')].filter((part) => part !== '').join('\n\n');
  if (text === '' && title === '') return { skipped: name, reason: 'The note has no text.' };
  return item({
    capture: {
      title,
      pageText: text || title,
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
    for (const memory of memoriesIn(file.json())) yield readMemory(memory);
  },
});

function memoriesIn(json: unknown): Fields[] {
  if (isFields(json)) return fieldsIn(json.memories ?? json.results);
  // A list of anything else that has a content is not one of memories.
  return fieldsIn(json).filter((one) => 'memory' in one && 'created_at' in one);
}

function contentOf({ content, memory }: Fields): string {
  return textOf(content) || textOf(memory);
}

function readMemory(memory: Fields): Item {
  const text = contentOf(memory);
  if (text === '') return { skipped: textOf(memory.id), reason: 'The memory has no text.' };
  if (textOf(memory.state) === 'deleted') return { skipped: text.slice(0, 80), reason: 'It was deleted there.' };
  const metadata = isFields(memory.metadata) ? memory.metadata : {};
  return item({
    capture: {
      pageText: text,
      sourceApp: textOf(memory.app) || 'memory',
      tags: [...textsOf(memory.tags), ...textsOf(memory.categories)],
      capturedAt: instantOf(memory.created_at_iso) ?? instantOf(memory.created_at),
      metadata: { ...metadata, ...(memory.memory_type ? { memoryType: memory.memory_type } : {}) },
    },
  });
}

/** The reference server for memory of the Model Context Protocol: a line of JSON for each entity and relation. */
export const referenceMemory = defineImporter({
  program: 'MCP reference memory',
  detects: ({ text }) =>
    linesOf(text.slice(0, 65_536)).some((line) => line.type === 'entity' && Array.isArray(line.observations)),
  *read({ text }) {
    const lines = linesOf(text);
    for (const { name, entityType, observations } of lines.filter(({ type }) => type === 'entity')) {
      const relations = lines.filter(({ type, from }) => type === 'relation' && from === name);
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

const CLIPPING =
  /^\uFEFF?(?<title>.*?)(?: \((?<author>[^()]*(?:\([^()]*\))?[^()]*)\))?\s*\r?\n-(?<place>[^\r\n]*)\r?\n\r?\n(?<text>.*)$/s;

/** `My Clippings.txt` of Kindle: a block for each highlight and note, in the language of the device. */
export const kindle = defineImporter({
  program: 'Kindle',
  detects: ({ text }) => CLIPPING.test(text.slice(0, 65_536).split(/^={10}\r?$/m)[0] ?? '') && /^={10}\r?$/m.test(text),
  *read({ text }) {
    for (const block of text.split(/^={10}\r?\n?/m)) {
      if (block.trim() === '') continue;
      const { title = '', author = '', place = '', text: quote = '' } = CLIPPING.exec(block)?.groups ?? {};
      if (quote.trim() === '')
        yield { skipped: title.trim() || block.trim().slice(0, 80), reason: 'The clipping has no text.' };
      else
        yield item({
          capture: {
            title: title.trim(),
            selection: quote.trim(),
            captureMode: 'selection',
            sourceApp: 'kindle',
            capturedAt: instantOf(/(?:added on|hinzugefügt am) (.*)$/i.exec(place)?.[1]),
            metadata: { ...(author === '' ? {} : { author }), place: place.trim() },
          },
        });
    }
  },
});
