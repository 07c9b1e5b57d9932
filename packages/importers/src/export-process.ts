import { constants, setPriority } from 'node:os';
import type { ExportPart } from '@recollect/core';
import { decodeText } from './decode-text.js';
import { DocumentError, readDocumentFile } from './documents/read-document-file.js';
import { DOCUMENTS, FILES, fileItem, isData, textCapture } from './files.js';
import type { Item } from './importer.js';
import { findImporter } from './importers.js';
import { DamagedJsonError } from './json-elements.js';
import type { ExportJob, FromExportProcess } from './messages.js';
import {
  type DocumentFile,
  type ReadFilesOptions,
  readFiles,
  type TextFile,
  UnreadableArchiveError,
} from './read-files.js';

// Reads one export in a separate process. Its host may end it at any time, and it ends with its host.
process.on('disconnect', () => process.exit());
// Answers to requests come first.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // The system does not allow it.
}
// The terminal sends these signals to all of its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

/** Parts that are sent at a time, and the characters of their texts from which there are fewer. */
const BATCH = { parts: 100, characters: 1_000_000 };

const { path, name, done, programs } = JSON.parse(process.argv[2] ?? '') as ExportJob;
const send = (message: FromExportProcess) => void process.send?.(message);

/** Settles when the other side asks for more. One batch is read in advance. */
let ask = () => {};
let demand = Promise.resolve();
const waitForAsk = () => {
  demand = new Promise((resolve) => {
    ask = resolve;
  });
};
waitForAsk();
process.on('message', () => ask());

let batch: ExportPart[] = [];
let characters = 0;
async function flush(): Promise<void> {
  await demand;
  waitForAsk();
  send({ parts: batch });
  batch = [];
  characters = 0;
}

let number = 0;
const options: ReadFilesOptions = {
  name,
  decode: (bytes) => decodeText(bytes),
  async mayRead(file) {
    number += 1;
    if (number <= done) return false;
    // Items that were read from the file before must not be lost with this item.
    if (batch.length > 0) await flush();
    send({ begins: file, number });
    return true;
  },
};

try {
  for await (const part of readParts()) {
    batch.push(part);
    characters += lengthOf(part);
    if (batch.length >= BATCH.parts || characters > BATCH.characters) await flush();
  }
  await flush();
  await demand;
  send({ isDone: true });
} catch (error) {
  await flush();
  await demand;
  const { code, message } = error as NodeJS.ErrnoException;
  send({ isUnreadable: error instanceof UnreadableArchiveError, code, reason: message });
}

async function* readParts(): AsyncGenerator<ExportPart> {
  for await (const file of readFiles(path, options)) {
    if ('skipped' in file) {
      yield { failed: file.skipped, reason: file.reason };
      continue;
    }
    if ('other' in file) {
      yield file;
      continue;
    }
    if ('document' in file) {
      if (!isWanted(DOCUMENTS)) continue;
      yield { program: DOCUMENTS };
      yield await readOneDocument(file);
      continue;
    }
    const importer = findImporter(file);
    if (importer !== undefined && !isWanted(importer.program)) {
      yield { other: file.name };
      continue;
    }
    if (importer === undefined) {
      yield* readUnknown(file);
      continue;
    }
    yield { program: importer.program };
    try {
      for await (const item of importer.read(file)) yield withTime(item, file.changedAt);
    } catch (error) {
      // The other files may be good. Other errors of an importer than damage are bugs.
      const why =
        error instanceof DamagedJsonError
          ? `${error.message}. What comes before is imported`
          : (error as Error).message;
      yield { failed: file.name, reason: `It cannot be read to its end: ${why}` };
    }
  }
}

/** A note has the time of its file. For a list, such as bookmarks, the file's time only says when it was exported. */
function withTime(item: Item, changedAt: string | null): Item {
  return 'capture' in item && item.capture.fileName != null && changedAt !== null ? { ...item, changedAt } : item;
}

function isWanted(program: string): boolean {
  return programs?.includes(program) !== false;
}

async function readOneDocument({ document, bytes, changedAt }: DocumentFile): Promise<ExportPart> {
  try {
    const capture = await readDocumentFile(bytes, document);
    if (capture === null) return { other: document };
    return fileItem(document, capture, changedAt);
  } catch (error) {
    if (error instanceof DocumentError) return { failed: document, reason: error.message };
    return { failed: document, reason: `It cannot be read: ${(error as Error).message}.` };
  }
}

/** A text file that is not an export. It is kept if it comes from a folder of the user. */
function* readUnknown(file: TextFile): Generator<ExportPart> {
  const isBlank = file.text.trim() === '';
  if (file.isDamaged()) yield { failed: file.name, reason: 'It is JSON that is damaged or incomplete.' };
  else if (isBlank && file.names.length === 0) yield { failed: file.name, reason: 'It is empty.' };
  else if (isBlank && file.isOwn) yield { skipped: file.name, reason: 'The file is empty.', isExpected: true };
  else if (!file.isOwn || isData(file.name) || !isWanted(FILES))
    yield { other: file.name, isText: !file.isCopy && !isBlank };
  else {
    yield { program: FILES };
    yield fileItem(file.name, textCapture(file), file.changedAt);
  }
}

function lengthOf(part: ExportPart): number {
  if (!('capture' in part)) return 0;
  const { pageText, selection, html, pdf, messages } = part.capture;
  const said = (messages ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return said + [pageText, selection, html, pdf].reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
