import { limits } from '@recollect/contract/limits';
import { isPageAddress } from '@recollect/contract/text';
import { defineImporter, type ImportFile, type Item, readEach } from './importer.js';
import { item, linkItem, noteText } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, isFields, linesOf, textOf, textsOf } from './values.js';

/** Google Keep, which has a file for each note. */
export const keep = defineImporter({
  program: 'Google Keep',
  detects(file) {
    const note = file.object();
    return isFields(note) && 'userEditedTimestampUsec' in note && 'isTrashed' in note;
  },
  *read(file) {
    yield { name: file.name, read: () => readNote(file.object() as Fields, file.name) };
  },
});

function readNote(note: Fields, name: string): Item {
  const title = textOf(note.title);
  const files = fieldsIn(note.attachments).map(({ filePath }) => textOf(filePath));
  if (note.isTrashed === true)
    return { skipped: title || name, reason: 'It is in the trash of Keep.', isExpected: true };
  const lines = fieldsIn(note.listContent).map(
    ({ text, isChecked }) => `- [${isChecked === true ? 'x' : ' '}] ${textOf(text)}`,
  );
  const written = [textOf(note.textContent), lines.join('\n')].filter((part) => part !== '').join('\n\n');
  const annotations = fieldsIn(note.annotations);
  const common = {
    tags: fieldsIn(note.labels).map((label) => textOf(label.name)),
    at: instantOf(note.createdTimestampUsec) ?? instantOf(note.userEditedTimestampUsec),
  };
  const state = { isStarred: note.isPinned === true, isRead: note.isArchived === true };
  const [link, ...others] = annotations;
  const url = textOf(link?.url);
  // The label of a page that was shared with Keep.
  if (isPageAddress(url) && others.length + files.length === 0 && ['', url].includes(written)) {
    const description = textOf(link?.description);
    return linkItem({ url, title: title || textOf(link?.title), description, ...common, ...state });
  }
  const parts = [written, ...annotations.map(({ url }) => textOf(url))];
  const text = parts.filter((part) => part !== '').join('\n\n');
  if (text === '' && title === '')
    return {
      skipped: name,
      reason: files.length > 0 ? 'The note is a picture or a recording.' : 'The note has no text.',
    };
  return item({
    capture: {
      title,
      pageText: noteText(title, text),
      sourceApp: 'keep',
      tags: common.tags,
      capturedAt: common.at,
      metadata: files.length === 0 ? {} : { attachments: files },
    },
    ...state,
  });
}

/** Memories of assistants: mcp-memory-service, mem0 and OpenMemory. */
export const memoryService = defineImporter({
  program: 'memory services (mcp-memory-service, mem0)',
  detects: (file) => [...memoriesIn(file, FIRST_LINES)].some((memory) => contentOf(memory) !== ''),
  *read(file) {
    const json = file.object();
    const { categories, apps } = isFields(json) ? json : {};
    const names = new Map([...fieldsIn(categories), ...fieldsIn(apps)].map(({ id, name }) => [id, textOf(name)]));
    yield* readEach(
      memoriesIn(file),
      (memory) => readMemory(memory, names),
      (memory) => contentOf(memory).slice(0, 80),
    );
  },
});

/** Lines by which a file is recognised. */
const FIRST_LINES = 2;

function* memoriesIn(file: ImportFile, mostLines?: number): Generator<Fields> {
  // A list of anything else that has a content is not one of memories.
  const isMemory = (entry: Fields) => 'memory' in entry && 'created_at' in entry;
  if (file.isList) {
    for (const entry of fieldsOf(mostLines === undefined ? file.entries() : file.head()))
      if (isMemory(entry)) yield entry;
    return;
  }
  const json = file.object();
  if (isFields(json) && Array.isArray(json.memories)) yield* fieldsIn(json.memories);
  else if (isFields(json)) yield* fieldsIn(json.results).filter(isMemory);
  if (json !== undefined) return;
  const lines = linesOf(file.text, mostLines);
  yield* lines.filter(
    (entry) => ('memory' in entry || 'content' in entry) && 'created_at' in entry && 'metadata' in entry,
  );
}

function contentOf({ content, memory }: Fields): string {
  return textOf(content) || textOf(memory);
}

/** @param names of categories and apps, which OpenMemory lists beside the memories */
function readMemory(memory: Fields, names: ReadonlyMap<unknown, string>): Item {
  const text = contentOf(memory);
  const state = textOf(memory.state);
  if (text === '') return { skipped: textOf(memory.id), reason: 'The memory has no text.', isExpected: true };
  if (state === 'deleted') return { skipped: text.slice(0, 80), reason: 'It was deleted there.', isExpected: true };
  const metadata = isFields(memory.metadata) ? memory.metadata : {};
  return item({
    capture: {
      pageText: text,
      sourceApp: (textOf(memory.app) || names.get(memory.app_id) || 'memory').slice(0, limits.capture.sourceAppLength),
      tags: [...textsOf(memory.tags), ...textsOf(memory.categories), ...namesOf(memory.category_ids, names)],
      capturedAt: instantOf(memory.created_at_iso) ?? instantOf(memory.created_at),
      metadata: {
        ...metadata,
        ...(memory.memory_type ? { memoryType: memory.memory_type } : {}),
        ...(['', 'active'].includes(state) ? {} : { state }),
      },
    },
  });
}

function namesOf(ids: unknown, names: ReadonlyMap<unknown, string>): string[] {
  return Array.isArray(ids) ? ids.flatMap((id) => names.get(id) ?? []) : [];
}
