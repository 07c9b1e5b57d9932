import type { ExportedItem } from '@recollect/core';

/** A file of an export. */
export interface ImportFile {
  /** Its name; in an archive with the folders there. */
  name: string;
  text: string;
  /** The text of another file of the archive, by its path from the folder of this one; null if there is none. */
  sibling(path: string): Promise<string | null>;
  /** Whether a JSON file with the same name is beside it: some programs also export pages for reading. */
  isCopy: boolean;
  /** The names of all files of the archive or folder: one list for all files of it. Empty for a single file. */
  names: readonly string[];
  /** When it was changed last, as ISO 8601 in UTC; null if that is not known. */
  changedAt: string | null;
  /** Whether it is a list in JSON. */
  isList: boolean;
  /** The object in the file, if it is JSON and not too long; undefined otherwise. Parsed once, at the first call. */
  object(): unknown;
  /** The elements of a list in JSON, parsed one at a time; none otherwise. Throws where the list is damaged. */
  entries(): Iterable<unknown>;
  /** The first hundred of them, by which an export is recognised. Parsed once. */
  head(): readonly unknown[];
  /** Whether it is JSON that ends too early, or is otherwise damaged. */
  isDamaged(): boolean;
}

/** An item of an export that is not imported, and why. */
export interface SkippedItem {
  skipped: string;
  reason: string;
  /** Whether nothing is lost: it is empty, was deleted there, or is part of another item. */
  isExpected?: boolean;
}

export type Item = ExportedItem | SkippedItem;

/**
 * Reads the exports of one program. Formats are recognised by their shape, since versions have changed it without
 * saying so.
 */
export interface Importer {
  /** The program, as messages call it. */
  program: string;
  detects(file: ImportFile): boolean;
  /** The items of the file, in its order. Skips a faulty item and continues. */
  read(file: ImportFile): Iterable<Item> | AsyncIterable<Item>;
}

/** An entry of a file that is not read yet. */
export interface Entry {
  /** Its name in reports. */
  name: string;
  read(): Item | Iterable<Item> | Promise<Item>;
}

interface ImporterDefinition extends Omit<Importer, 'read'> {
  /** The entries of a file, in its order. */
  read(file: ImportFile): Iterable<Entry> | AsyncIterable<Entry>;
}

/** The entries of a list, with how each of them is read and called. */
export function* readEach<Element>(
  elements: Iterable<Element>,
  read: (element: Element) => Item | Iterable<Item> | Promise<Item>,
  elementName: (element: Element) => string,
): Generator<Entry> {
  for (const element of elements) yield { name: elementName(element), read: () => read(element) };
}

/**
 * Makes an importer that reads each entry separately: one that cannot be read is skipped with the reason, and ends
 * nothing.
 */
export function defineImporter({ read, ...importer }: ImporterDefinition): Importer {
  return {
    ...importer,
    read(file) {
      const entries = read(file);
      return Symbol.asyncIterator in entries ? readLater(entries) : readNow(entries);
    },
  };
}

function* readNow(entries: Iterable<Entry>): Generator<Item> {
  for (const entry of entries) {
    try {
      const items = entry.read();
      // Only importers with asynchronous entries read them asynchronously.
      if (!(items instanceof Promise)) yield* Symbol.iterator in items ? items : [items];
    } catch (error) {
      yield unreadable(entry, error);
    }
  }
}

async function* readLater(entries: AsyncIterable<Entry>): AsyncGenerator<Item> {
  for await (const entry of entries) {
    try {
      const items = await entry.read();
      yield* Symbol.iterator in items ? items : [items];
    } catch (error) {
      yield unreadable(entry, error);
    }
  }
}

function unreadable({ name }: Entry, error: unknown): SkippedItem {
  // A library that calls itself for each level has no more room for its calls.
  const why = error instanceof RangeError ? 'It is nested too deep' : `It cannot be read: ${(error as Error).message}`;
  return { skipped: name, reason: `${why}.` };
}
