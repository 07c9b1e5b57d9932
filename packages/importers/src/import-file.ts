import type { ImportFile } from './importer.js';
import { DamagedJsonError, elementsOf } from './json-elements.js';
import { linesOf } from './values.js';

/** The longest JSON object, in characters: parsed, it takes some ten times as much memory. */
const MAX_OBJECT_CHARACTERS = 100_000_000;
/** Elements of a list by which an export is recognised. */
const PREVIEWED_ELEMENTS = 100;

interface Head {
  elements: unknown[];
  /** Whether the list is damaged after these elements. */
  isDamaged: boolean;
}

/** The facts of an archive or folder about one of its files. */
export type InArchive = Pick<ImportFile, 'sibling' | 'isCopy' | 'names' | 'changedAt'>;

const NOT_IN_ARCHIVE: InArchive = { sibling: async () => null, isCopy: false, names: [], changedAt: null };

/** A file of an export with its text. JSON is parsed at the first access. */
export function importFile(name: string, text: string, place: Partial<InArchive> = {}): ImportFile {
  const start = /^\uFEFF?\s*/.exec(text)?.[0].length ?? 0;
  const isList = text[start] === '[';
  const isObject = text[start] === '{';
  const entries = () => (isList ? elementsOf(text, start) : [].values());
  let parsed: { value: unknown } | null = null;
  let head: Head | null = null;
  const object = () => {
    parsed ??= { value: isObject && text.length <= MAX_OBJECT_CHARACTERS ? parse(text.slice(start)) : undefined };
    return parsed.value;
  };
  const readHead = () => {
    head ??= headOf(entries());
    return head;
  };
  const isBroken = () =>
    isList
      ? readHead().elements.length === 0 && readHead().isDamaged
      : // Lines of JSON are not JSON as a whole.
        isObject && object() === undefined && linesOf(text, 1).length === 0;
  return {
    name,
    text,
    isList,
    ...NOT_IN_ARCHIVE,
    ...place,
    object,
    entries,
    head: () => readHead().elements,
    isDamaged: () => /\.json(?:\.gz)?$/i.test(name) && isBroken(),
  };
}

function headOf(entries: Iterable<unknown>): Head {
  const elements: unknown[] = [];
  try {
    for (const entry of entries) {
      elements.push(entry);
      if (elements.length === PREVIEWED_ELEMENTS) break;
    }
  } catch (error) {
    if (!(error instanceof DamagedJsonError)) throw error;
    return { elements, isDamaged: true };
  }
  return { elements, isDamaged: false };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
