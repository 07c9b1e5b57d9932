import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { ExportedItem } from '@recollect/core';
import type { ImportFile } from './importer.js';

/** The names in reports for documents, and for texts that belong to no program. */
export const DOCUMENTS = 'documents (EPUB, Word, OpenDocument, PDF, mails, saved pages, notebooks)';
export const FILES = 'files';

/** A document or a text of a folder or an archive as an item, called by its path there. */
export function fileItem(name: string, capture: Capture, changedAt: string | null): ExportedItem {
  return {
    capture: { ...capture, fileName: name.slice(-limits.capture.fileNameLength) },
    ...(changedAt === null ? {} : { changedAt }),
  };
}

/** Whether a text is data for programs, which a search for words only finds by accident. */
export function isData(name: string): boolean {
  return /\.(?:jsonl?|opml|enex)(?:\.gz)?$/i.test(name);
}

/** A text as a capture: of a page, its HTML. */
export function textCapture({ name, text }: Pick<ImportFile, 'name' | 'text'>): Capture {
  return /\.x?html?$/i.test(name) ? { html: text } : { pageText: text.replace(/^\uFEFF/, '') };
}
