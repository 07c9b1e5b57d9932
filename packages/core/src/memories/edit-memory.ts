import type { Actor, Image, MemoryPatch } from '@recollect/contract';
import { chunkSizesFor, splitIntoChunks } from '../chunking/chunk-text.js';
import { chooseContent, extractText, withoutNul } from '../drafts/content.js';
import { mergeTags } from '../drafts/merge-capture.js';
import { cleanTags, contentHashOf } from '../drafts/normalise-capture.js';
import { spellTags, withoutTags } from '../drafts/tag-spelling.js';
import { RecollectError } from '../error.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import type { Reading } from '../memory.js';
import { type Picture, readPictures } from '../pictures/read-pictures.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { ArticleExtractor, EmbeddingModel, MemoryChange, PresentMemory, StoredMemory } from '../ports/index.js';
import { createId } from '../text/create-id.js';
import { urlKey } from '../text/url-key.js';
import { embedAgain } from './embed-again.js';

/** A change of one memory. Missing fields stay. */
export interface MemoryEdit extends Omit<MemoryPatch, 'addTags' | 'removeTags' | 'html' | 'pdf' | 'extract'> {
  /** The transaction of the change adds these to the memory's tags, so that no other change of its tags is lost. */
  addTags?: readonly string[] | undefined;
  removeTags?: readonly string[] | undefined;
}

export interface EditOptions {
  /** Stops the embedding, which a runner then does later. The change itself is stored. */
  signal?: AbortSignal | undefined;
  /** Stores the title, tags and note without normalisation: the memory had them before. */
  isRestored?: boolean | undefined;
  /** The id of the change in the history, if the edit is a part of a larger one. */
  changeId?: string | undefined;
}

type EditPorts = Pick<CorePorts, 'memories' | 'indexingJobs' | 'embeddingModel' | 'clock'>;

/**
 * Changes a memory and embeds it again if needed. Returns the id of the change in the history; null if nothing changed.
 * Throws NOT_FOUND, VALIDATION_FAILED for a blank title or text and for too many tags, MEMORY_CHANGED or
 * MEMORY_DUPLICATE.
 */
export async function editMemory(
  ports: EditPorts,
  userId: string,
  id: string,
  {
    title,
    note,
    text,
    fileName,
    picture,
    expected = {},
    starred,
    readState,
    progress,
    place,
    opened,
    ...tagEdit
  }: MemoryEdit,
  actor: Actor | null,
  { signal, isRestored = false, changeId = createId(ports.clock.now()) }: EditOptions,
): Promise<string | null> {
  const { memories, embeddingModel, clock } = ports;
  const now = clock.now();
  const cleanTitle = title === undefined || isRestored ? title : withoutNul(title).trim();
  if (cleanTitle === '' && !isRestored) {
    const errors = [{ pointer: '/title', message: 'must have at least one character that is not white space' }];
    throw new RecollectError('VALIDATION_FAILED', 'A title cannot be blank. Leave it out to keep the current one.', {
      errors,
    });
  }
  const change = {
    title: cleanTitle,
    note: note === undefined || isRestored ? note : withoutNul(note ?? '').trim() || null,
    text: text === undefined ? undefined : await changeOfText(embeddingModel, await find(ports, userId, id), text),
    picture: picture == null ? picture : await readNewPicture(picture),
  };
  const spelled = isRestored ? tagEdit : await spellEdit(memories, userId, tagEdit);
  const edit = (memory: PresentMemory) => {
    checkExpected(memory, expected);
    return {
      ...change,
      tags: editTags(memory.tags, spelled),
      metadata:
        fileName === undefined || fileName === memory.metadata.fileName
          ? undefined
          : { ...memory.metadata, fileName: withoutNul(fileName) },
      starred,
      ...changeOfReading(memory, { readState, progress }),
      place,
      openedAt: opened === true ? now.toISOString() : undefined,
    };
  };
  const updated = await memories.update(userId, id, edit, {
    now: now.toISOString(),
    indexing: draftIndexing(ports, { isInline: true }),
    changeMark: { changeId, actor },
  });
  if (updated === null) throw unknownMemory();
  if (updated === 'duplicate')
    throw new RecollectError('MEMORY_DUPLICATE', 'Another memory of this address has the same text.');
  if (updated.indexingJobId !== null) await embedAgain(ports, userId, id, updated.indexingJobId, signal);
  return updated.fields.length === 0 ? null : changeId;
}

/** The picture that a change brings. Throws VALIDATION_FAILED if it cannot be stored. */
async function readNewPicture(picture: Image): Promise<Picture | undefined> {
  const { pictures, problems } = await readPictures({ picture });
  if (problems.length === 0) return pictures.picture;
  const errors = problems.map((message) => ({ pointer: '/picture', message }));
  throw new RecollectError('VALIDATION_FAILED', 'The picture cannot be stored. Nothing was changed.', { errors });
}

/** Throws MEMORY_CHANGED if the memory has other values than the caller saw last. */
function checkExpected(memory: PresentMemory, { title, note, textHash }: NonNullable<MemoryEdit['expected']>): void {
  const isOther = {
    title: title !== undefined && title !== memory.title,
    note: note !== undefined && (note ?? '') !== (memory.note ?? ''),
    text: textHash !== undefined && textHash !== memory.contentHash,
  };
  for (const field of ['title', 'note', 'text'] as const)
    if (isOther[field])
      throw new RecollectError(
        'MEMORY_CHANGED',
        `The ${field} was changed meanwhile, so nothing was changed now. Read the memory again, then decide.`,
      );
}

type TagEdit = Pick<MemoryEdit, 'tags' | 'addTags' | 'removeTags'>;

async function spellEdit(memories: EditPorts['memories'], userId: string, edit: TagEdit): Promise<TagEdit> {
  const { tags, addTags, removeTags } = edit;
  return {
    tags: tags && (await spellTags(memories, userId, cleanTags(tags))),
    addTags: addTags && (await spellTags(memories, userId, cleanTags(addTags))),
    removeTags: removeTags && cleanTags(removeTags),
  };
}

function editTags(
  present: readonly string[],
  { tags, addTags, removeTags = [] }: TagEdit,
): readonly string[] | undefined {
  if (addTags === undefined && removeTags.length === 0) return tags;
  return mergeTags(withoutTags(tags ?? present, removeTags), addTags ?? []);
}

async function find({ memories }: EditPorts, userId: string, id: string): Promise<StoredMemory> {
  const memory = await memories.find(userId, id);
  if (memory === null) throw unknownMemory();
  return memory;
}

export function unknownMemory(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no memory with this id.');
}

type ReadingProgress = Pick<Reading, 'readState' | 'progress'>;

/**
 * How much of a memory has been read and its read state, when one of them is given: `read` is all, `unread` nothing,
 * and reading on never makes a read memory unread.
 *
 * @example
 * changeOfReading({ readState: 'unread' }, { progress: 0.4 }); // { readState: 'reading', progress: 0.4 }
 * changeOfReading({ readState: 'reading' }, { readState: 'read' }); // { readState: 'read', progress: 1 }
 */
export function changeOfReading(
  present: Pick<Reading, 'readState'>,
  { readState, progress }: { [Field in keyof ReadingProgress]?: ReadingProgress[Field] | undefined },
): Partial<ReadingProgress> {
  if (progress === undefined) {
    if (readState === undefined) return {};
    return readState === 'reading' ? { readState } : { readState, progress: readState === 'read' ? 1 : 0 };
  }
  if (readState !== undefined) return { readState, progress };
  if (progress === 1) return { readState: 'read', progress };
  return { readState: present.readState === 'unread' && progress > 0 ? 'reading' : present.readState, progress };
}

/**
 * Splits a memory's new text for the model that will embed it. Throws VALIDATION_FAILED if the text is blank. A
 * conversation, whose next capture continues, takes only the captured text, which repairs a damaged one.
 */
export async function changeOfText(
  model: EmbeddingModel | null,
  memory: Pick<StoredMemory, 'url' | 'captureMode' | 'contentHash'>,
  writtenText: string,
): Promise<NonNullable<MemoryChange['text']>> {
  const text = withoutNul(writtenText);
  const contentHash = await contentHashOf(memory.url === null ? null : urlKey(memory.url), text);
  if (memory.captureMode === 'conversation' && contentHash !== memory.contentHash) {
    const errors = [{ pointer: '/text', message: 'cannot be changed: it is what was said' }];
    throw new RecollectError(
      'VALIDATION_FAILED',
      'The text of a conversation cannot be changed. Add a note to it instead.',
      { errors },
    );
  }
  if (text.trim() === '') {
    const errors = [{ pointer: '/text', message: 'must have at least one character that is not white space' }];
    throw new RecollectError('VALIDATION_FAILED', 'A text cannot be blank. Delete the memory instead.', { errors });
  }
  return { chunks: await splitIntoChunks(text, chunkSizesFor(model)), contentHash };
}

/**
 * The text that an edit gives a memory, which may be the text of a raw page or a PDF. Undefined if the text stays.
 * Throws VALIDATION_FAILED for more than one of them, and EXTRACTION_FAILED.
 */
export async function replacedText(
  { text, html, pdf, extract }: Pick<MemoryPatch, 'text' | 'html' | 'pdf' | 'extract'>,
  url: () => Promise<string | null>,
  extractor: ArticleExtractor | null,
): Promise<string | undefined> {
  const [first, second] = Object.entries({ text, html, pdf }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  if (second !== undefined) {
    const errors = [{ pointer: `/${second}`, message: `must be left out beside ${first}` }];
    throw new RecollectError('VALIDATION_FAILED', 'Send one of text, html and pdf.', { errors });
  }
  if (html === undefined && pdf === undefined) return text;
  const content = chooseContent({ html, pdf, extract, captureMode: 'page' });
  if (content === null) return '';
  return (await extractText(content, await url(), extractor))?.text ?? '';
}
