import type { ExportedItem } from '@recollect/core';

/** A file of an export. */
export interface ImportFile {
  /** Its name; in an archive with the folders there. */
  name: string;
  text: string;
  /** The text of another file of the archive, by its path from the folder of this one; null if there is none. */
  sibling(path: string): Promise<string | null>;
  /** Whether a file of the same name but for its ending is beside it, in JSON: programs export pages to look at, too. */
  isCopy: boolean;
  /** Whether it is a list in JSON. */
  isList: boolean;
  /** What it contains if it is an object in JSON, and not too long; undefined otherwise. Parsed once, at the first call. */
  object(): unknown;
  /** The elements of a list in JSON, parsed one at a time; none otherwise. Throws where the list is damaged. */
  entries(): Iterable<unknown>;
  /** The first hundred of them, by which an export is recognised. Parsed once. */
  head(): readonly unknown[];
  /** Whether it is JSON that ends too early, or is otherwise damaged. */
  isDamaged(): boolean;
}

/** What an export contains and is not imported, and why. */
export interface SkippedItem {
  skipped: string;
  reason: string;
  /** Whether nothing is lost: it is empty, was deleted there, or is part of another item. */
  isExpected?: boolean;
}

export type Item = ExportedItem | SkippedItem;

/** Reads the exports of one program. Formats are recognised by their shape, since versions have changed it without saying so. */
export interface Importer {
  /** The program, as messages call it. */
  program: string;
  detects(file: ImportFile): boolean;
  /** What the file contains, in its order. A faulty item is skipped, and ends nothing. */
  read(file: ImportFile): Iterable<Item> | AsyncIterable<Item>;
}

/** Reads each entry of a file by itself: one that cannot be read is skipped, and ends nothing. */
export function* readEach<Entry>(
  entries: Iterable<Entry>,
  read: (entry: Entry) => Iterable<Item>,
  nameOf: (entry: Entry) => string,
): Generator<Item> {
  for (const entry of entries) {
    try {
      yield* read(entry);
    } catch (error) {
      yield { skipped: nameOf(entry), reason: `It cannot be read: ${(error as Error).message}.` };
    }
  }
}

/** Gives an importer its type. */
export function defineImporter(importer: Importer): Importer {
  return importer;
}
